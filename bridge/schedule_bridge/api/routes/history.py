"""Decisions: why each firing did or did not start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.api.context import Bridge, telling_problems
from schedule_bridge.api.negotiation import answer
from schedule_bridge.api.query import numeric_cursor, read_query
from schedule_bridge.api.refusals import StoreUnavailable
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.api.views import decision_view
from schedule_bridge.store import DecisionQuery
from schedule_bridge.wire.times import parse_instant

if TYPE_CHECKING:
    from aiohttp import web

_PAGE = 100
_FILTERS = ("workspaceId", "triggerId", "since", "limit", "cursor")


class _History:
    def __init__(self, bridge: Bridge) -> None:
        self._estate = bridge.estate

    async def decisions(self, request: web.Request) -> web.Response:
        query = read_query(request, _FILTERS)
        limit = query.get("limit", _PAGE)
        with telling_problems():
            found = await self._estate.decisions(
                DecisionQuery(
                    workspace_id=query.get("workspaceId"),
                    trigger_id=query.get("triggerId"),
                    since=parse_instant(query["since"]) if "since" in query else None,
                    before=numeric_cursor(query),
                    limit=limit + 1,
                )
            )
        cursor = str(found[limit - 1][0]) if len(found) > limit else None
        views = [decision_view(decision) for _, decision in found[:limit]]
        return answer(request, {"decisions": views, "nextCursor": cursor})


def routes(bridge: Bridge) -> list[Route]:
    """The routes on history."""
    return [
        Route(
            "GET",
            "/v1/decisions",
            _History(bridge).decisions,
            "Why each firing did or did not start, newest first.",
            {200: Answer("A page of decisions.", "decisions")},
            query=_FILTERS,
            problems=(StoreUnavailable,),
        ),
    ]
