"""Durable decisions over HTTP, beside a bare aiohttp handler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import requests
from bench.asking import ask_for
from bench.bridge import Address, plain_server, real_bridge
from bench.places import work_folder
from bench.row import Comparison, Figures, Row, at_least

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.rounds import Rounds

_CONNECTIONS = 16
_WARM_UP_SECONDS = 0.5
_ECHO = "bare aiohttp echo"


def _measure(rounds: Rounds) -> list[Comparison]:
    with (
        work_folder() as folder,
        real_bridge(folder) as bridge,
        plain_server("echo", folder) as echo,
    ):
        _prepare(bridge)

        def asked(server: Address, talk: str) -> Callable[[], Figures]:
            return lambda: _asked(server, talk, rounds.seconds)

        taken = rounds.alternate(
            {
                "skip": asked(bridge, "skip"),
                "echo of skip": asked(echo, "skip"),
                "run": asked(bridge, "run"),
                "echo of run": asked(echo, "run"),
            }
        )
    return [
        _compared("fire → skip", taken["skip"], taken["echo of skip"]),
        _compared("fire → claim → finished", taken["run"], taken["echo of run"]),
    ]


def _prepare(bridge: Address) -> None:
    """A trigger whose run goes on, so that it skips, and one a connection that starts runs."""
    bridge.call("PUT", "/v1/triggers/busy", {"overlapPolicy": "skip"})
    for name in _idle():  # a round that ends leaves a run behind, which must not be in the way
        bridge.call("PUT", f"/v1/triggers/{name}", {"overlapPolicy": "allow", "maxConcurrent": 99})
    (decision,) = bridge.call("POST", "/v1/triggers/busy/fire", {})["decisions"]
    bridge.call("POST", f"/v1/executions/{decision['executionId']}/started")


def _idle() -> list[str]:
    return [f"idle{number:02}" for number in range(_CONNECTIONS)]


def _asked(server: Address, talk: str, seconds: float) -> Figures:
    if talk == "skip":
        conversations = [requests.firing(server, "busy") for _ in range(_CONNECTIONS)]
    else:
        conversations = [requests.running(server, name) for name in _idle()]
    asked = ask_for(server.port, conversations, seconds, _WARM_UP_SECONDS)
    return {"per second": asked.per_second}


def _compared(what: str, ours: Figures, theirs: Figures) -> Comparison:
    ratio = (ours["per second"], theirs["per second"])
    return Comparison(what, _ECHO, *ratio, "requests a second", at_least(0.60))


ROW = Row(
    "http",
    "durable decisions over HTTP",
    "16 keep-alive connections, each asking again as soon as it is answered, from a client on a "
    "core of its own; the echo gets the same requests. SQLite with `synchronous=FULL`.",
    _measure,
    in_short_form=True,
)
