"""A client of the stream that claims and ends runs as fast as they are offered."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import aiohttp
import orjson

from bench.processes import on_client_core
from bench.triggers import daily_at, declared
from schedule_bridge.core.model import SECOND

if TYPE_CHECKING:
    from bench.bridge import Address
    from bench.row import Figures

_LEAD_SECONDS = 4
_LONGEST_SECONDS = 120
_CLAIM = b'{"type":"started","id":%d,"executionId":"%b"}'
_END = b'{"type":"finished","id":%d,"executionId":"%b","outcome":"completed"}'


def runs_of_bridge(bridge: Address, client: str, starts: int) -> Figures:
    """How many starts a second are offered, claimed and finished, all due at one instant."""
    with on_client_core():
        return {"per second": asyncio.run(_runs_of_bridge(bridge, client, starts))}


def runs_of_echo(echo: Address, starts: int) -> Figures:
    """The same frames for as many runs, echoed after a group commit."""
    with on_client_core():
        return {"per second": asyncio.run(_runs_of_echo(echo, starts))}


async def _runs_of_bridge(bridge: Address, client: str, starts: int) -> float:
    url = f"http://127.0.0.1:{bridge.port}/v1/stream?clientId={client}&sessionId=s"
    headers = {"Authorization": f"Bearer {bridge.token.decode()}"}
    protocols = ("schedule-bridge.v1.json",)
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(url, headers=headers, protocols=protocols, max_msg_size=0) as socket,
        asyncio.timeout(_LONGEST_SECONDS),
    ):
        await socket.send_str('{"type":"hello","protocol":1,"version":"0"}')
        due = (time.time_ns() // 1_000_000_000 + _LEAD_SECONDS) * SECOND
        schedule = daily_at(due)
        triggers = [declared(number, client=client, schedule=schedule) for number in range(starts)]
        here = {"type": "here", "id": 1, "triggers": triggers, "runs": []}
        await socket.send_str(orjson.dumps(here).decode())
        await _claim_and_end(socket, starts)
        return starts / (time.time() - due / SECOND)


async def _claim_and_end(socket: aiohttp.ClientWebSocketResponse, starts: int) -> None:
    """Answers offers with claims and confirmations with ends; twice a run's place is their id."""
    runs: list[bytes] = [b""]
    ended = 0
    while ended < starts:
        frame = orjson.loads(await socket.receive_str())
        if frame["type"] == "execution.start":
            runs.append(frame["executionId"].encode())
            await _send(socket, _CLAIM % (2 * len(runs) - 2, runs[-1]))
        elif frame["type"] == "reply" and "confirmed" in frame:
            await _send(socket, _END % (frame["re"] + 1, runs[frame["re"] // 2]))
        elif frame["type"] == "reply" and "ignored" in frame:
            ended += 1


async def _send(socket: aiohttp.ClientWebSocketResponse, frame: bytes) -> None:
    await socket.send_frame(frame, aiohttp.WSMsgType.TEXT)


async def _runs_of_echo(echo: Address, starts: int) -> float:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"http://127.0.0.1:{echo.port}/") as socket,
        asyncio.timeout(_LONGEST_SECONDS),
    ):
        began = time.perf_counter()
        run = b"0" * 16
        for number in range(1, starts + 1):
            await socket.send_bytes(_CLAIM % (2 * number, run))
        ended = 0
        while ended < starts:
            frame = orjson.loads(await socket.receive_bytes())
            if frame["type"] == "started":
                await socket.send_bytes(_END % (frame["id"] + 1, run))
            else:
                ended += 1
        return starts / (time.perf_counter() - began)
