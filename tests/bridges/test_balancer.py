"""One address for all bridges: a plain TCP load balancer, which knows nothing of workspaces."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from itertools import cycle
from typing import TYPE_CHECKING

from aiohttp import ClientSession, TCPConnector

from service.caller import Caller
from service.shared_bridge import free_port
from service.streamer import Streamer

from .house import bridges, owners

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from cli.bridge_process import BridgeProcess

    from .house import Bridges

_WORKSPACES = ("v", "w")


async def test_clients_know_one_address_only(tmp_path: Path) -> None:
    async with behind_a_balancer(tmp_path, 3) as (house, client):
        for workspace in _WORKSPACES:
            await put(client, f"t-{workspace}", workspace)
        fired = [await fire(client, f"t-{w}") for w in _WORKSPACES for _ in range(6)]
        assert fired == ["started", *["skipped"] * 5] * 2
        assert [len(owners(house, workspace)) for workspace in _WORKSPACES] == [1, 1]


async def test_a_stream_through_it_goes_to_the_owner_wherever_it_lands(tmp_path: Path) -> None:
    async with behind_a_balancer(tmp_path, 3) as (house, client):
        await put(client, "first", "default")
        for number in range(3):
            stream = await open_stream(client)
            await stream.here({"triggerId": f"t{number}"})
            assert await fire(client, f"t{number}") == "started"
            offer = await stream.next("execution.start")
            assert (await stream.claim(offer["executionId"]))["confirmed"]
            assert not (await stream.finish(offer["executionId"]))["ignored"]
            await stream.hang_up()
        assert len(owners(house, "default")) == 1


async def test_the_others_go_on_behind_it_when_one_stops(tmp_path: Path) -> None:
    async with behind_a_balancer(tmp_path, 3) as (house, client):
        await put(client, "t", "w")
        assert await fire(client, "t") == "started"
        (owner,) = owners(house, "w")
        await house.all[owner].terminate()
        assert [await fire(client, "t") for _ in range(4)] == ["skipped"] * 4
        assert len(owners(house, "w")) == 2


@asynccontextmanager
async def behind_a_balancer(folder: Path, count: int) -> AsyncIterator[tuple[Bridges, Caller]]:
    """The bridges, and a client that makes a connection for each request."""
    port = free_port()
    async with bridges(folder, 0) as house:
        for _ in range(count):
            await house.add(SCHEDULE_BRIDGE_ALLOW_HOST=f"127.0.0.1:{port}")
        balancer = await asyncio.start_server(Turns(house.all).carry, "127.0.0.1", port)
        async with ClientSession(connector=TCPConnector(force_close=True)) as session, balancer:
            client = Caller(session)
            client.base = f"http://127.0.0.1:{port}"
            client.authorized = house.all[0].authorized
            client.document = house.all[0].document
            yield house, client


class Turns:
    """Each connection goes to the next bridge that listens."""

    def __init__(self, all_of_them: list[BridgeProcess]) -> None:
        self._next = cycle(all_of_them)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await self._reach()
        with suppress(ConnectionError):
            await asyncio.gather(_copy(reader, back), _copy(there, writer))

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while True:
            host, port = next(self._next).base.removeprefix("http://").split(":")
            with suppress(ConnectionRefusedError):
                return await asyncio.open_connection(host, int(port))


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
    finally:
        sink.close()


async def put(client: Caller, trigger_id: str, workspace: str) -> None:
    reply = await client.call("PUT", f"/v1/triggers/{trigger_id}", {"workspaceId": workspace})
    assert reply.status == 201, reply.value


async def fire(client: Caller, trigger_id: str) -> str:
    reply = await client.call("POST", f"/v1/triggers/{trigger_id}/fire", {})
    assert reply.status == 200, reply.value
    decision: str = reply.value["decisions"][0]["decision"]
    return decision


async def open_stream(client: Caller) -> Streamer:
    socket = await client.session.ws_connect(
        f"{client.base}/v1/stream?clientId=c&sessionId=s1",
        protocols=["schedule-bridge.v1.json"],
        headers=client.authorized,
    )
    stream = Streamer(socket, "json")
    await stream.say_hello()
    return stream
