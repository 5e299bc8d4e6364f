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
        if not self._bridge.engine.ready:
            raise StoreUnavailable("The store cannot be used at present; the log says why.")
        return answer(request, {"status": "ok"})

    async def info(self, request: web.Request) -> web.Response:
        engine = self._bridge.engine
        with telling_problems():
            house = await engine.house()
        world = house.machine.world
        states = Counter(execution.state.value for execution in world.executions.values())
        view = {
            "version": self._bridge.version,
            "protocol": PROTOCOL,
            "startedAt": format_instant(engine.started_at),
            "store": {"kind": engine.store.kind, "schemaVersion": engine.store.schema_version},
            "clock": {
                "now": format_instant(engine.now()),
                "aheadSeconds": max(engine.ahead, 0) / SECOND,
            },
            "zoneData": ZONE_DATA_VERSION,
            "counts": {
                "triggers": len(world.triggers),
                "clientsHere": engine.presence.count_here(),
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
