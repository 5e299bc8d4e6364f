"""A bridge in this process that shares a real PostgreSQL with others of its kind."""

from __future__ import annotations

import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from aiohttp import ClientSession

from schedule_bridge.api.app import make_bridge_application
from schedule_bridge.api.context import Bridge
from schedule_bridge.api.forwarding import Forwarder
from schedule_bridge.api.guard import Guard
from schedule_bridge.api.limits import Limits
from schedule_bridge.api.peers import BridgePeers
from schedule_bridge.api.server import serve
from schedule_bridge.engine import BridgeName, Settings, SharedEstate, SystemClock
from schedule_bridge.store.postgres import PostgresDatabase
from service.bridge import RunningBridge
from service.edge import TOKEN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

LEASE_SECONDS = 10.0


class SharedBridge(RunningBridge):
    """One of several bridges on the database at `url`."""

    def __init__(self, folder: Path, session: ClientSession, url: str) -> None:
        super().__init__(folder, session, Limits())
        self.estate: SharedEstate
        self._url = url

    async def start(self) -> None:
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        self._database = PostgresDatabase(self._url)
        await self._database.open()
        self._peers = BridgePeers(TOKEN, self.base)
        self.estate = SharedEstate(
            self._database,
            Settings(),
            SystemClock(),
            name=BridgeName(self.base, self.base),
            lease_seconds=LEASE_SECONDS,
            peers=self._peers,
        )
        await self.estate.start()
        forwarder = Forwarder(self._peers, self.estate.ownership.doubt)
        bridge = Bridge(self.estate, "1.2.3", forwarder=forwarder)
        self.rehearsal = bridge.rehearsal
        app = make_bridge_application(bridge, Guard(TOKEN), self._limits)
        self.runner = await serve(app, "127.0.0.1", port)
        self.document = await self._read_document()

    async def stop(self) -> None:
        await self._hang_up()
        await self.runner.cleanup()
        await self.estate.stop()
        await self._peers.close()
        await self._database.close()


@asynccontextmanager
async def shared_bridge(folder: Path, url: str) -> AsyncIterator[SharedBridge]:
    async with ClientSession() as session:
        bridge = SharedBridge(folder, session, url)
        await bridge.start()
        try:
            yield bridge
        finally:
            await bridge.stop()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
