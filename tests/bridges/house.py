"""Several real bridges on one real PostgreSQL."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from aiohttp import ClientSession

from cli.bridge_process import BridgeProcess
from databases.server import new_database
from service.shared_bridge import free_port

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from service.caller import Json

LEASE = 3.0
_PATIENCE_SECONDS = 2 * LEASE + 10


class Bridges:
    """Bridges of one store, by number."""

    def __init__(self, session: ClientSession, folder: Path, lease: float) -> None:
        self.url = new_database()
        self.all: list[BridgeProcess] = []
        self._session = session
        self._folder = folder
        self._lease = lease
        self._token = secrets.token_urlsafe(32)
        self._ports: list[int] = []

    async def add(self, url: str | None = None, **settings: str) -> BridgeProcess:
        """One more bridge, which may reach the database by a way of its own."""
        folder = self._folder / str(len(self.all))
        bridge = BridgeProcess(
            self._session,
            folder,
            SCHEDULE_BRIDGE_DATABASE=url or self.url,
            SCHEDULE_BRIDGE_LEASE_SECONDS=str(self._lease),
            **settings,
        )
        bridge.folder.mkdir(parents=True, mode=0o700)
        token_file = bridge.folder / "token"
        token_file.touch(0o600)
        token_file.write_text(self._token)
        self.all.append(bridge)
        self._ports.append(free_port())
        await self.again(len(self.all) - 1)
        return bridge

    async def again(self, number: int) -> None:
        """Starts a bridge that has ended, or has yet to begin."""
        await self.all[number].start("--port", str(self._ports[number]))

    async def decisions(self, asked: BridgeProcess) -> list[Json]:
        """All decisions that are on record, newest first."""
        page = await asked.call("GET", "/v1/decisions?limit=1000")
        found: list[Json] = page.value["decisions"]
        return found


@asynccontextmanager
async def bridges(folder: Path, count: int, lease: float = LEASE) -> AsyncIterator[Bridges]:
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(ClientSession())
        house = Bridges(session, folder, lease)
        for _ in range(count):
            await house.add()
        try:
            yield house
        finally:
            for bridge in house.all:
                await bridge.make_sure_it_is_gone()


async def fire(bridge: BridgeProcess, trigger_id: str, key: str | None = None) -> Json:
    """The decision on one firing."""
    reply = await bridge.call("POST", f"/v1/triggers/{trigger_id}/fire", {}, key=key)
    assert reply.status == 200, reply.value
    return reply.value["decisions"][0]


async def fire_when_owned(bridge: BridgeProcess, trigger_id: str) -> dict[str, object]:
    """The decision on a firing that is asked for again, by its name, while nobody decides."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while True:
            path = f"/v1/triggers/{trigger_id}/fire"
            reply = await bridge.call("POST", path, {}, key=f"of {bridge.base}")
            if reply.status == 200:
                decision: dict[str, object] = reply.value["decisions"][0]
                return decision
            await asyncio.sleep(0.2)


async def declare(bridge: BridgeProcess, trigger_id: str, workspace: str, **config: Json) -> None:
    body = {"workspaceId": workspace, **config}
    reply = await bridge.call("PUT", f"/v1/triggers/{trigger_id}", body)
    assert reply.status in (200, 201), reply.value


def owners(house: Bridges, workspace: str) -> list[int]:
    """Which bridges have said that they decide for a workspace, in the order of their saying."""
    said = [
        (line["time"], number)
        for number, bridge in enumerate(house.all)
        for line in bridge.logged("own")
        if line["message"] == f"This bridge decides for {workspace}."
    ]
    return [number for _, number in sorted(said)]
