"""A whole bridge in this process: a real file, a real clock, a real socket."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from aiohttp import ClientSession, web

from schedule_bridge.api.app import make_bridge_application
from schedule_bridge.api.context import Bridge
from schedule_bridge.api.guard import Guard
from schedule_bridge.api.limits import Limits
from schedule_bridge.api.server import serve
from schedule_bridge.engine import Engine, Settings, SoleEstate, SystemClock
from schedule_bridge.store import SqliteStore
from service.caller import Caller
from service.edge import TOKEN
from service.streamer import Streamer, WebSocketEnd

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from schedule_bridge.api.aside import Rehearsal
    from service.caller import Json


class RunningBridge(Caller):
    """A bridge and a client of its API, which checks every answer against the OpenAPI document."""

    def __init__(self, folder: Path, session: ClientSession, limits: Limits) -> None:
        super().__init__(session)
        self.engine: Engine
        self.rehearsal: Rehearsal
        self._folder = folder
        self._limits = limits
        self.runner: web.AppRunner
        self._streams: list[Streamer] = []

    async def start(self) -> None:
        self.engine = self.make_engine(self._folder / "bridge.db")
        await self.engine.start()
        bridge = Bridge(SoleEstate(self.engine), "1.2.3")
        self.rehearsal = bridge.rehearsal
        app = make_bridge_application(bridge, Guard(TOKEN), self._limits)
        self.runner = await serve(app, "127.0.0.1", 0)
        self.base = f"http://127.0.0.1:{self.runner.addresses[0][1]}"
        self.document = await self._read_document()

    def make_engine(self, file: Path) -> Engine:
        """The engine over a store in that file, before its start."""
        return Engine(SqliteStore(file), Settings(), SystemClock())

    async def _hang_up(self) -> None:
        for stream in self._streams:
            await stream.hang_up()
        self._streams.clear()

    async def stop(self) -> None:
        await self._hang_up()
        await self.runner.cleanup()
        await self.engine.stop()

    async def restart(self) -> None:
        await self.stop()
        await self.start()

    async def open_stream(
        self,
        client: str = "c",
        session: str = "s1",
        *,
        form: str = "json",
        hello: bool = True,
        **query: str,
    ) -> Streamer:
        """A connection of a client, past its hello unless told otherwise."""
        socket = await self.session.ws_connect(
            f"{self.base}/v1/stream",
            params={"clientId": client, "sessionId": session, **query},
            protocols=[f"schedule-bridge.v1.{form}"],
            headers=self.authorized,
            autoping=True,
        )
        stream = Streamer(socket, form)
        self._streams.append(stream)
        if hello:
            await stream.say_hello()
        return stream

    async def refused_stream(self, client: str = "c", session: str = "s1") -> WebSocketEnd:
        """How a connection ends that is not let in."""
        stream = await self.open_stream(client, session, hello=False)
        await stream.say_hello()
        return await stream.end()

    async def set(self, trigger_id: str = "t", **config: Json) -> Json:
        reply = await self.call("PUT", f"/v1/triggers/{trigger_id}", config)
        assert reply.status in (200, 201), reply.value
        return reply.value

    async def fire(
        self, trigger_id: str = "t", body: Json = None, *, key: str | None = None
    ) -> list[Json]:
        path = f"/v1/triggers/{trigger_id}/fire"
        reply = await self.call("POST", path, body or {}, key=key)
        assert reply.status == 200, reply.value
        decisions: list[Json] = reply.value["decisions"]
        return decisions

    async def start_run(self, trigger_id: str = "t") -> str:
        """Fires a trigger and claims what starts, as an API client does."""
        (decision,) = await self.fire(trigger_id)
        run: str = decision["executionId"]
        reply = await self.call("POST", f"/v1/executions/{run}/started")
        assert reply.status == 200, reply.value
        return run

    async def execution(self, execution_id: str) -> Json:
        return (await self.call("GET", f"/v1/executions/{execution_id}")).value

    async def in_pages(self, things: str, name: str) -> list[str]:
        """The `name` of all things, asked for two at a time."""
        listed: list[str] = []
        path: str | None = f"/v1/{things}?limit=2"
        while path is not None:
            page = (await self.call("GET", path)).value
            assert len(page[things]) <= 2
            listed += [each[name] for each in page[things]]
            cursor = page["nextCursor"]
            path = None if cursor is None else f"/v1/{things}?limit=2&cursor={cursor}"
        return listed

    async def nobody_is_here(self) -> None:
        """Waits until the bridge has noticed that its clients are not here."""
        async with asyncio.timeout(10):
            while (await self.call("GET", "/v1/info")).value["counts"]["clientsHere"]:
                pass

    async def everything(self) -> Json:
        """All that the bridge shows of its state."""
        paths = ("/v1/triggers", "/v1/executions", "/v1/decisions", "/v1/workspaces/default")
        return {path: (await self.call("GET", path)).value for path in paths}


@asynccontextmanager
async def running_bridge(
    folder: Path, limits: Limits | None = None
) -> AsyncIterator[RunningBridge]:
    async with ClientSession() as session:
        bridge = RunningBridge(folder, session, limits or Limits())
        await bridge.start()
        try:
            yield bridge
        finally:
            await bridge.stop()
