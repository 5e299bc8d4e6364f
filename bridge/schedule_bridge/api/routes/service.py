"""What the service says of itself."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from schedule_bridge.api.context import PROTOCOL, Bridge, telling_problems
from schedule_bridge.api.negotiation import answer
from schedule_bridge.api.refusals import StoreUnavailable
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.core.model import SECOND
from schedule_bridge.schedule import ZONE_DATA_VERSION
from schedule_bridge.wire.times import format_instant

if TYPE_CHECKING:
    from aiohttp import web


class _Service:
    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    async def health(self, request: web.Request) -> web.Response:
        return answer(request, {"status": "ok"})

    async def readiness(self, request: web.Request) -> web.Response:
        if not self._bridge.estate.ready:
            raise StoreUnavailable("The store cannot be used at present; the log says why.")
        return answer(request, {"status": "ok"})

    async def info(self, request: web.Request) -> web.Response:
        estate = self._bridge.estate
        kind, schema_version = estate.store_kind
        with telling_problems():
            worlds = [(await engine.house()).machine.world for engine in estate.engines]
        states = Counter(
            execution.state.value for world in worlds for execution in world.executions.values()
        )
        view = {
            "version": self._bridge.version,
            "protocol": PROTOCOL,
            "startedAt": format_instant(estate.started_at),
            "store": {"kind": kind, "schemaVersion": schema_version},
            "clock": {
                "now": format_instant(estate.now()),
                "aheadSeconds": max(estate.ahead, 0) / SECOND,
            },
            "zoneData": ZONE_DATA_VERSION,
            "counts": {
                "triggers": sum(len(world.triggers) for world in worlds),
                "clientsHere": sum(each.presence.count_here() for each in estate.engines),
                **states,
            },
        }
        return answer(request, view)


def routes(bridge: Bridge) -> list[Route]:
    """The routes on the service itself."""
    on = _Service(bridge)
    return [
        Route(
            "GET",
            "/healthz",
            on.health,
            "Whether the process lives.",
            {200: Answer("It lives.", "health")},
            public=True,
        ),
        Route(
            "GET",
            "/readyz",
            on.readiness,
            "Whether decisions can be made.",
            {200: Answer("They can.", "health")},
            problems=(StoreUnavailable,),
            public=True,
        ),
        Route(
            "GET",
            "/v1/info",
            on.info,
            "Version, store, clock, zone data, counts.",
            {200: Answer("About the bridge.", "info")},
            problems=(StoreUnavailable,),
        ),
    ]
