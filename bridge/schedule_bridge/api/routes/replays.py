"""A trigger's past under other settings; it touches no decision."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from schedule_bridge.api.aside import TooBusy
from schedule_bridge.api.context import Bridge, telling_problems
from schedule_bridge.api.naming import path_id
from schedule_bridge.api.negotiation import answer, read_body
from schedule_bridge.api.refusals import StoreUnavailable, UnknownTrigger
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.api.views import instant
from schedule_bridge.core.model import SECOND, TriggerId
from schedule_bridge.engine import TriggerUnknownError
from schedule_bridge.simulate import Past, Replay, replay
from schedule_bridge.store import DecisionQuery, ExecutionQuery

if TYPE_CHECKING:
    from aiohttp import web

    from schedule_bridge.core.model import Duration, TriggerConfig
    from schedule_bridge.engine import Engine
    from schedule_bridge.simulate.totals import Totals

_FIRINGS: Final = 500
_EXECUTIONS: Final = 2 * _FIRINGS
"""Enough for those of the firings: each makes one at most, and few were held for long before."""


class _Replays:
    def __init__(self, bridge: Bridge) -> None:
        self._estate = bridge.estate
        self._rehearsal = bridge.rehearsal

    async def post(self, request: web.Request) -> web.Response:
        trigger_id = TriggerId(path_id(request, "triggerId"))
        changes = await read_body(request, "replay", optional=True)
        with telling_problems():
            engine = await self._estate.of_trigger(trigger_id)
            config = await _config(engine, trigger_id)
            past = await _past(engine, trigger_id)
        replayed = await self._rehearsal.do(replay, config, changes, past)
        return answer(request, _view(past, replayed))


async def _config(engine: Engine, trigger_id: TriggerId) -> TriggerConfig:
    house = await engine.house()
    if trigger_id not in house.memory.registrations:
        raise TriggerUnknownError(trigger_id)
    return house.memory.config_of(trigger_id)


async def _past(engine: Engine, trigger_id: TriggerId) -> Past:
    query = DecisionQuery(trigger_id=trigger_id, firings_only=True, limit=_FIRINGS)
    decisions = [decision for _, decision in await engine.decisions(query)]
    executions = await engine.executions(ExecutionQuery(trigger_id=trigger_id, limit=_EXECUTIONS))
    decisions.sort(key=lambda decision: decision.fired_at)
    return Past(decisions, executions, engine.now())


def _view(past: Past, replayed: Replay) -> dict[str, Any]:
    first = past.decisions[0].fired_at if past.decisions else None
    return {
        "from": instant(first),
        "to": None if first is None else instant(past.now),
        "medianRunSeconds": _seconds(past.median()),
        "asItRan": _totals(replayed.as_it_ran),
        "replayed": _totals(replayed.replayed),
        "events": replayed.events,
    }


def _totals(totals: Totals) -> dict[str, int]:
    return asdict(totals)


def _seconds(duration: Duration | None) -> float | None:
    return None if duration is None else duration / SECOND


def routes(bridge: Bridge) -> list[Route]:
    """The route on a trigger's past."""
    return [
        Route(
            "POST",
            "/v1/triggers/{triggerId}/replay",
            _Replays(bridge).post,
            "Play a trigger's last 500 firings again, under other settings.",
            {200: Answer("What would have happened, and both in numbers.", "replay-answer")},
            body="replay",
            body_optional=True,
            problems=(UnknownTrigger, StoreUnavailable, TooBusy),
        ),
    ]
