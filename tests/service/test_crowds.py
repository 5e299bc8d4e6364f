"""Peers that come in numbers: strangers hold up nobody who has the token (security.md)."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from schedule_bridge.api.limits import Limits
from service.bridge import running_bridge
from service.edge import AUTHORIZED, Edge, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

CAP = Limits().connections
HOST = b"Host: 127.0.0.1:%d\r\n"
SLOW_HEADERS = b"GET /v1/list HTTP/1.1\r\nHost: 127"
SLOW_BODY = b"POST /v1/echo HTTP/1.1\r\n" + HOST + b"Content-Length: 99\r\n\r\n{"
QUESTIONS = (b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n") * 20_000
"""More than a peer can leave unread without stopping the bridge from writing."""


class Peer:
    """A connection that stays open."""

    def __init__(self, edge: Edge, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self._edge = edge
        self._reader = reader
        self._writer = writer

    def say(self, data: bytes) -> None:
        self._writer.write(data.replace(b"%d", str(self._edge.port).encode()))

    async def ask(self, path: str, *lines: str) -> bytes:
        """What the bridge answers; nothing if it has cut the connection."""
        host = f"Host: 127.0.0.1:{self._edge.port}"
        head = "\r\n".join((f"GET {path} HTTP/1.1", host, *lines, "", "")).encode()
        try:
            self.say(head)
            return await self._reader.readuntil(b"}")
        except (ConnectionError, asyncio.IncompleteReadError):
            return b""

    async def ask_with_token(self) -> bytes:
        return await self.ask("/v1/list", f"Authorization: {AUTHORIZED['Authorization']}")

    async def is_cut(self) -> bool:
        try:
            async with asyncio.timeout(10):
                return await self._reader.read() == b""
        except ConnectionError:
            return True

    async def leave(self) -> None:
        self._writer.transport.abort()


@asynccontextmanager
async def peer_of(edge: Edge) -> AsyncIterator[Peer]:
    reader, writer = await asyncio.open_connection("127.0.0.1", edge.port)
    peer = Peer(edge, reader, writer)
    try:
        yield peer
    finally:
        await peer.leave()


async def a_crowd(stack: AsyncExitStack, edge: Edge, number: int) -> list[Peer]:
    return [await stack.enter_async_context(peer_of(edge)) for _ in range(number)]


def served(answer: bytes) -> bool:
    return answer.startswith(b"HTTP/1.1 200 ")


async def test_idle_strangers_up_to_the_cap_and_a_hundred_more_lock_nobody_out(edge: Edge) -> None:
    async with AsyncExitStack() as stack:
        crowd = await a_crowd(stack, edge, CAP + 100)
        assert (await edge.call("GET", "/v1/list")).status == 200
        assert all([await peer.is_cut() for peer in crowd[:101]])
        assert served(await crowd[-1].ask("/healthz"))


@pytest.mark.parametrize(
    "words",
    [b"", SLOW_HEADERS, SLOW_BODY, QUESTIONS],
    ids=["says nothing", "slow headers", "slow body", "reads no answer"],
)
async def test_a_stranger_makes_room_whatever_it_is_doing(words: bytes) -> None:
    async with running(limits=Limits(connections=3)) as edge, AsyncExitStack() as stack:
        for peer in await a_crowd(stack, edge, 3):
            peer.say(words)
        await asyncio.sleep(0.1)
        assert served(await (await a_crowd(stack, edge, 1))[0].ask_with_token())


async def test_the_stranger_goes_that_has_been_here_longest() -> None:
    async with running(limits=Limits(connections=3)) as edge, AsyncExitStack() as stack:
        first, second, third = await a_crowd(stack, edge, 3)
        await a_crowd(stack, edge, 1)
        assert await first.is_cut()
        assert served(await second.ask("/healthz"))
        assert served(await third.ask("/healthz"))


async def test_whoever_has_shown_the_token_stays() -> None:
    async with running(limits=Limits(connections=3)) as edge, AsyncExitStack() as stack:
        (friend,) = await a_crowd(stack, edge, 1)
        await friend.ask_with_token()
        await a_crowd(stack, edge, 20)
        assert served(await friend.ask_with_token())


@pytest.mark.parametrize("line", ["Authorization: Bearer wrong", "X-Nothing: at-all"])
async def test_a_refused_caller_is_a_stranger_still(line: str) -> None:
    async with running(limits=Limits(connections=2)) as edge, AsyncExitStack() as stack:
        (stranger,) = await a_crowd(stack, edge, 1)
        await stranger.ask("/v1/list", line)
        await a_crowd(stack, edge, 2)
        assert await stranger.is_cut()


async def test_with_none_but_friends_here_the_newest_has_to_wait() -> None:
    async with running(limits=Limits(connections=2)) as edge, AsyncExitStack() as stack:
        friends = await a_crowd(stack, edge, 2)
        for friend in friends:
            await friend.ask_with_token()
        (late,) = await a_crowd(stack, edge, 1)
        assert await late.is_cut()
        assert all([served(await friend.ask_with_token()) for friend in friends])
        await friends[0].leave()
        async with asyncio.timeout(10):
            while not served(await (await a_crowd(stack, edge, 1))[0].ask_with_token()):
                pass


async def test_a_stream_outlives_any_crowd(tmp_path: Path) -> None:
    async with running_bridge(tmp_path, Limits(connections=4)) as bridge:
        stream = await bridge.open_stream()
        await stream.here({"triggerId": "t"})
        async with AsyncExitStack() as stack:
            port = int(bridge.base.rpartition(":")[2])
            await a_crowd(stack, Edge(port, bridge.session), 20)
            (decision,) = await bridge.fire()
        assert (await stream.next("execution.start"))["executionId"] == decision["executionId"]
