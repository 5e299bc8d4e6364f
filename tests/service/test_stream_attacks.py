"""The stream under frames that no client of good will sends (security.md: WebSocket)."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from typing import TYPE_CHECKING

import pytest
from aiohttp import WSServerHandshakeError

from schedule_bridge.api.limits import Limits
from service.bridge import RunningBridge, running_bridge

if TYPE_CHECKING:
    from pathlib import Path

PATH = "/v1/stream?clientId=c&sessionId=s"
TEXT, CONTINUATION, PING = 0x1, 0x0, 0x9
FINAL = 0x80


def frame(
    opcode: int, payload: bytes = b"", *, final: bool = True, length: int | None = None
) -> bytes:
    """A masked frame; `length` is what it says of itself."""
    mask = os.urandom(4)
    said = len(payload) if length is None else length
    head = bytes([opcode | (FINAL if final else 0)])
    head += bytes([0x80 | said]) if said < 126 else b"\xff" + struct.pack(">Q", said)
    return head + mask + bytes(each ^ mask[at % 4] for at, each in enumerate(payload))


async def upgraded(bridge: RunningBridge) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A raw connection past the upgrade."""
    port = int(bridge.base.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = (
        f"GET {PATH} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        f"Authorization: {bridge.authorized['Authorization']}",
    )
    writer.write("\r\n".join((*lines, "", "")).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 ")
    return reader, writer


async def is_ended(reader: asyncio.StreamReader) -> bool:
    """Whether the bridge ends the connection; whatever it says before is left out."""
    try:
        async with asyncio.timeout(10):
            while await reader.read(65536):
                pass
    except ConnectionError:
        pass
    return True


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.test"}, {"Host": "evil.test"}])
async def test_a_web_page_gets_no_stream(bridge: RunningBridge, headers: dict[str, str]) -> None:
    with pytest.raises(WSServerHandshakeError) as refusal:
        await bridge.session.ws_connect(
            bridge.base + PATH, headers={**bridge.authorized, **headers}
        )
    assert refusal.value.status == 403


async def test_compression_is_never_agreed(bridge: RunningBridge) -> None:
    async with bridge.session.ws_connect(
        bridge.base + PATH, headers=bridge.authorized, compress=15
    ) as socket:
        assert socket.compress == 0


@pytest.mark.parametrize(
    "data",
    [
        frame(TEXT, b"{}", length=2**62),
        frame(TEXT, b"{}", length=100 * 1024 * 1024),
        frame(0x3, b"x"),
        frame(TEXT | 0x40, b"x"),
        frame(TEXT, b"\xff\xfe"),
        frame(CONTINUATION, b"x"),
        frame(PING, b"x" * 125, final=False),
        frame(TEXT, b"{", final=False) + frame(TEXT, b"}"),
    ],
    ids=[
        "says 2^62 bytes",
        "says 100 MB",
        "unknown opcode",
        "compressed without leave",
        "bad UTF-8",
        "continues nothing",
        "a ping in fragments",
        "a text within a text",
    ],
)
async def test_a_frame_that_breaks_the_rules_ends_the_connection(
    bridge: RunningBridge, data: bytes
) -> None:
    reader, writer = await upgraded(bridge)
    writer.write(data)
    assert await is_ended(reader)
    writer.close()
    assert (await bridge.call("GET", "/v1/info")).status == 200


async def test_fragments_without_an_end_are_bounded(tmp_path: Path) -> None:
    async with running_bridge(tmp_path, Limits(frame_bytes=64 * 1024)) as bridge:
        reader, writer = await upgraded(bridge)
        writer.write(frame(TEXT, b'"', final=False))
        for _ in range(20):
            writer.write(frame(CONTINUATION, b"x" * 8192, final=False))
        assert await is_ended(reader)
        writer.close()


async def test_fragments_that_never_end_are_no_hello(tmp_path: Path) -> None:
    async with running_bridge(tmp_path, Limits(hello_seconds=0.2, goodbye_seconds=0.2)) as bridge:
        reader, writer = await upgraded(bridge)
        writer.write(frame(TEXT, b"{", final=False))
        assert await is_ended(reader)
        writer.close()


async def test_a_flood_of_pings_holds_up_nobody(tmp_path: Path) -> None:
    """The flooder does not read its pongs; it is dropped like any peer that does not read."""
    async with running_bridge(tmp_path, Limits(ping_every=0.2, hello_seconds=5)) as bridge:
        reader, writer = await upgraded(bridge)
        writer.write(frame(TEXT, b'{"type": "hello", "protocol": 1, "version": "0"}'))
        writer.write(frame(PING, b"x" * 125) * 50_000)
        assert (await bridge.call("GET", "/v1/info")).status == 200
        assert await is_ended(reader)
        writer.close()


async def test_pings_are_answered(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.socket.ping(b"there?")
    await stream.here({"triggerId": "t"})
    assert stream.socket.closed is False
