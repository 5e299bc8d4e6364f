"""What a schedule or a scenario would do; neither touches a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schedule_bridge.api.aside import TooBusy
from schedule_bridge.api.context import Bridge, telling_problems
from schedule_bridge.api.negotiation import answer, read_body
from schedule_bridge.api.problems import InvalidBody
from schedule_bridge.api.refusals import (
    PrintsTooMuchProblem,
    TakesTooLongProblem,
    TooManyEventsProblem,
)
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.schedule import describe, parse_schedule, preview
from schedule_bridge.simulate import (
    PrintsTooMuch,
    ScenarioRefused,
    TakesTooLong,
    TooManyEvents,
    simulate,
)
from schedule_bridge.wire.times import format_instant, parse_instant

if TYPE_CHECKING:
    from aiohttp import web

    from schedule_bridge.core.model import Instant

MAX_EVENTS = 20_000
MAX_SECONDS = 5.0
MAX_PAYLOAD_BYTES = 8 * 1024 * 1024
_TICKS = 5


class _Schedules:
    def __init__(self, bridge: Bridge) -> None:
        self._estate = bridge.estate
        self._rehearsal = bridge.rehearsal

    async def preview(self, request: web.Request) -> web.Response:
        body = await read_body(request, "preview")
        after = parse_instant(body["from"]) if "from" in body else self._estate.now()
        with telling_problems():
            view = await self._rehearsal.do(_preview, body, after)
        return answer(request, view)

    async def simulate(self, request: web.Request) -> web.Response:
        body = await read_body(request, "scenario")
        try:
            printed = await self._rehearsal.do(
                simulate,
                body,
                max_events=MAX_EVENTS,
                max_seconds=MAX_SECONDS,
                max_payload_bytes=MAX_PAYLOAD_BYTES,
            )
        except ScenarioRefused as refused:
            raise InvalidBody(refused.faults[0].message, faults=refused.faults) from None
        except TooManyEvents as error:
            raise TooManyEventsProblem(str(error)) from None
        except TakesTooLong as error:
            raise TakesTooLongProblem(str(error)) from None
        except PrintsTooMuch as error:
            raise PrintsTooMuchProblem(str(error)) from None
        return answer(request, printed)


def _preview(body: dict[str, Any], after: Instant) -> dict[str, Any]:
    schedule = parse_schedule(body["schedule"], default_anchor=after)
    ticks = preview(schedule, count=int(body.get("count", _TICKS)), after=after)
    return {
        "description": describe(body["schedule"]),
        "timezone": body["schedule"].get("timezone") or "UTC",
        "ticks": [
            {"at": format_instant(tick.at), "local": tick.local, "clockChange": tick.clock_change}
            for tick in ticks
        ],
    }


def routes(bridge: Bridge) -> list[Route]:
    """The routes on schedules and scenarios."""
    on = _Schedules(bridge)
    return [
        Route(
            "POST",
            "/v1/schedules/preview",
            on.preview,
            "The next ticks of a schedule.",
            {200: Answer("The ticks, and the schedule in words.", "preview-answer")},
            body="preview",
            problems=(TooBusy,),
        ),
        Route(
            "POST",
            "/v1/simulate",
            on.simulate,
            "Run a scenario on a virtual clock.",
            {200: Answer("What happens, in order.", "scenario-events")},
            body="scenario",
            problems=(TooManyEventsProblem, TakesTooLongProblem, PrintsTooMuchProblem, TooBusy),
        ),
    ]
