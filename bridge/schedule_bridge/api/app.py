"""The whole application: guard, routes, stream and the document that describes them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from schedule_bridge.api.asking import never
from schedule_bridge.api.forwarding import Forwarder, NotTheOwner, OwnerAway
from schedule_bridge.api.limits import Limits
from schedule_bridge.api.negotiation import answer
from schedule_bridge.api.openapi import describe
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.api.routes import all_routes
from schedule_bridge.api.server import make_application
from schedule_bridge.api.stream.handler import stream_handler
from schedule_bridge.core.model import ExecutionId, TriggerId

if TYPE_CHECKING:
    from aiohttp import web

    from schedule_bridge.api.asking import AtHand
    from schedule_bridge.api.context import Bridge
    from schedule_bridge.api.guard import Guard
    from schedule_bridge.engine import Estate


_DEFAULTS: Final = Limits()


def make_bridge_application(
    bridge: Bridge, guard: Guard, limits: Limits = _DEFAULTS
) -> web.Application:
    """The application that serves a bridge."""
    table = all_routes(bridge)
    document: dict[str, object] = {}

    async def openapi(request: web.Request) -> web.Response:
        return answer(request, document)

    table += [
        Route(
            "GET",
            "/v1/stream",
            stream_handler(bridge),
            "The stream between a client and the bridge (WebSocket).",
            {101: Answer("The connection is a WebSocket now.")},
            query=("clientId", "sessionId", "workspaceId"),
        ),
        Route(
            "GET",
            "/openapi.json",
            openapi,
            "This document.",
            {200: Answer("An OpenAPI 3.1 document.")},
        ),
    ]
    if bridge.forwarder is not None:
        table = [_forwarding(bridge.forwarder, bridge.estate, route) for route in table]
    document.update(describe(table, bridge.version))
    app = make_application(guard, table, limits)

    async def end(_app: web.Application) -> None:
        await bridge.rehearsal.close()
        if bridge.forwarder is not None:
            await bridge.forwarder.close()

    app.on_shutdown.append(end)
    return app


def _forwarding(forwarder: Forwarder, estate: Estate, route: Route) -> Route:
    """A route that may be about what another bridge decides."""
    if route.public:
        return route
    problems = (*route.problems, NotTheOwner, OwnerAway)
    handler = forwarder.over(route.handler)
    return replace(route, handler=handler, problems=problems, at_hand=_at_hand(estate, route.path))


def _at_hand(estate: Estate, path: str) -> AtHand:
    if path.startswith("/v1/triggers/"):
        return lambda target: estate.with_trigger(TriggerId(target)) is not None
    if path.startswith("/v1/executions/"):
        return lambda target: estate.with_execution(ExecutionId(target)) is not None
    return never
