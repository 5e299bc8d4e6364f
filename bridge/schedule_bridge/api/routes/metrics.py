"""What the bridge does, for Prometheus. No label names a trigger, an execution or a client."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from aiohttp import hdrs, web
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.registry import Collector

from schedule_bridge.api.forwarding import KINDS
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.core.model import SECOND, State
from schedule_bridge.engine import StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from prometheus_client.metrics_core import Metric

    from schedule_bridge.api.context import Bridge
    from schedule_bridge.api.forwarding import Forwarder
    from schedule_bridge.engine import Estate, House
    from schedule_bridge.engine.tally import Spread, Tally

_ACTIVE: Final = tuple(state for state in State if not state.terminal)


class _Metrics:
    def __init__(self, bridge: Bridge) -> None:
        self._estate = bridge.estate
        self._forwarder = bridge.forwarder

    async def get(self, _request: web.Request) -> web.Response:
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Scrape(self._estate, await self._houses()))
        if self._forwarder is not None:
            registry.register(_Sharing(self._estate, self._forwarder))
        return web.Response(
            body=generate_latest(registry), headers={hdrs.CONTENT_TYPE: CONTENT_TYPE_PLAIN_0_0_4}
        )

    async def _houses(self) -> list[House] | None:
        try:
            return [await engine.house() for engine in self._estate.engines]
        except StoreUnavailableError:
            return None


class _Scrape(Collector):
    """One look at the estate; without houses the store cannot be written at present."""

    def __init__(self, estate: Estate, houses: list[House] | None) -> None:
        self._estate = estate
        self._houses = houses

    def collect(self) -> Iterator[Metric]:
        """Everything, in the order in which it is printed."""
        yield from _of_decisions(self._estate.tally)
        yield from _of_commits(self._estate.tally)
        yield _gauge("store_up", "Whether decisions can be made.", self._houses is not None)
        here = sum(engine.presence.count_here() for engine in self._estate.engines)
        yield _gauge("clients_here", "Clients that are here.", here)
        ahead = max(self._estate.ahead, 0) / SECOND
        yield _gauge("clock_ahead_seconds", "How far engine time runs ahead.", ahead)
        if self._houses is not None:
            yield from _of_houses(self._houses)


class _Sharing(Collector):
    """What comes of several bridges on one store."""

    def __init__(self, estate: Estate, forwarder: Forwarder) -> None:
        self._estate = estate
        self._forwarder = forwarder

    def collect(self) -> Iterator[Metric]:
        """Everything, in the order in which it is printed."""
        owned = len(self._estate.engines)
        yield _gauge("workspaces_owned", "Workspaces that this bridge decides for.", owned)
        lost: dict[tuple[str, ...], int] = {(): self._estate.losses}
        yield _counter("leases_lost", "Workspaces lost without being given up.", (), lost)
        yield _counter(
            "forwarded",
            "What was led to another bridge.",
            ("kind",),
            {(kind,): self._forwarder.led[kind] for kind in KINDS},
        )


def _of_decisions(tally: Tally) -> Iterator[Metric]:
    yield _counter(
        "decisions",
        "What came of firings; each word of a firing counts, interim ones too.",
        ("decision", "reason"),
        {(verdict.value, reason): n for (verdict, reason), n in tally.decisions.items()},
    )
    yield _counter(
        "executions_ended",
        "Executions that have ended.",
        ("outcome",),
        {(state.value,): tally.ends[state] for state in State if state.terminal},
    )
    yield _counter(
        "missed_ticks",
        "Ticks that did not become firings.",
        ("reason",),
        {(reason,): n for reason, n in tally.missed_ticks.items()},
    )


def _of_commits(tally: Tally) -> Iterator[Metric]:
    yield _histogram("commit_rows", "Rows that one commit changed.", tally.commit_rows)
    yield _histogram("commit_seconds", "How long one commit took.", tally.commit_seconds)
    failed: dict[tuple[str, ...], int] = {(): tally.failed_commits}
    yield _counter("failed_commits", "Commits that came to nothing.", (), failed)


def _of_houses(houses: list[House]) -> Iterator[Metric]:
    worlds = [house.machine.world for house in houses]
    states = Counter(execution.state for world in worlds for execution in world.executions.values())
    active = GaugeMetricFamily(_name("executions"), "Active executions.", labels=("state",))
    for state in _ACTIVE:
        active.add_metric((state.value,), states[state])
    yield active
    yield _gauge("triggers", "Registered triggers.", sum(len(each.triggers) for each in worlds))


def _name(what: str) -> str:
    return f"schedule_bridge_{what}"


def _gauge(what: str, description: str, value: float) -> Metric:
    return GaugeMetricFamily(_name(what), description, value=value)


def _counter(
    what: str,
    description: str,
    labels: Iterable[str],
    counts: Mapping[tuple[str, ...], int],
) -> Metric:
    family = CounterMetricFamily(_name(what), description, labels=tuple(labels))
    for values, count in sorted(counts.items()):
        family.add_metric(values, count)
    return family


def _histogram(what: str, description: str, spread: Spread) -> Metric:
    bounds = (*(str(float(bound)) for bound in spread.bounds), "+Inf")
    buckets = list(zip(bounds, spread.cumulated(), strict=True))
    return HistogramMetricFamily(_name(what), description, buckets, spread.total)


def routes(bridge: Bridge) -> list[Route]:
    """The route that Prometheus asks."""
    return [
        Route(
            "GET",
            "/metrics",
            _Metrics(bridge).get,
            "What the bridge does, for Prometheus.",
            {200: Answer("Metrics in Prometheus' text format.")},
        )
    ]
