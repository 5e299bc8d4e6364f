"""Events: one occasion that fires every trigger which subscribes to it (R27)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.api.context import Bridge, telling_problems
from schedule_bridge.api.naming import request_name
from schedule_bridge.api.negotiation import answer, read_body
from schedule_bridge.api.refusals import KeyReused, StoreUnavailable
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.api.views import Json, decision_view
from schedule_bridge.core.configuration import DEFAULT_WORKSPACE
from schedule_bridge.core.model import WorkspaceId
from schedule_bridge.engine import Occurrence

if TYPE_CHECKING:
    from aiohttp import web

    from schedule_bridge.core.decisions import Decision


class _Events:
    def __init__(self, bridge: Bridge) -> None:
        self._estate = bridge.estate

    async def post(self, request: web.Request) -> web.Response:
        body = await read_body(request, "event")
        name = request_name(request, body)
        workspace_id = WorkspaceId(body.get("workspaceId", DEFAULT_WORKSPACE))
        event = Occurrence(workspace_id, body["type"], body.get("payload"), name.key)
        with telling_problems():
            engine = await self._estate.of_workspace(workspace_id)
            answered = await engine.occur(event, name, _answer)
        return answer(request, answered)


def _answer(decisions: list[Decision]) -> Json:
    return {"decisions": [decision_view(decision) for decision in decisions]}


def routes(bridge: Bridge) -> list[Route]:
    """The route on events."""
    return [
        Route(
            "POST",
            "/v1/events",
            _Events(bridge).post,
            "Fire every trigger that subscribes to an event.",
            {200: Answer("What came of it, a decision for each trigger.", "fire-answer")},
            body="event",
            problems=(StoreUnavailable, KeyReused),
            keyed=True,
        ),
    ]
