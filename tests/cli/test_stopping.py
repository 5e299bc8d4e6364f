"""A bridge that is told to stop answers what it accepted, and is gone within five seconds.

`terminate` of the tests waits for five seconds.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from signal import SIGINT, SIGTERM
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientConnectionError

from faults.trouble import locked
from service.streamer import Streamer

from .bridge_process import serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path
    from signal import Signals

    from .bridge_process import BridgeProcess

_AT_ONCE = 50


async def fire(bridge: BridgeProcess, key: str) -> str | None:
    """The run that was started, as far as the answer says; None if there was none."""
    try:
        reply = await bridge.call("POST", "/v1/triggers/t/fire", {}, key=key)
    except (ClientConnectionError, ConnectionError):
        return None
    if reply.status != 200:
        return None
    run: str | None = reply.value["decisions"][0]["executionId"]
    return run


@pytest.mark.parametrize("signal", [SIGTERM, SIGINT], ids=lambda signal: signal.name)
async def test_what_was_answered_before_the_end_is_there_after_it(
    tmp_path: Path, signal: Signals
) -> None:
    async with serving(tmp_path) as bridge:
        await bridge.call("PUT", "/v1/triggers/t", {"overlapPolicy": "allow", "maxConcurrent": 99})
        asked = [asyncio.create_task(fire(bridge, f"k{n}")) for n in range(_AT_ONCE)]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        assert await bridge.stop_by(signal) == 0
        answered = {run for run in await asyncio.gather(*asked) if run is not None}
        assert answered
        await bridge.start()
        page = (await bridge.call("GET", "/v1/executions?limit=1000")).value
        assert answered <= {each["executionId"] for each in page["executions"]}


async def test_a_stream_is_closed_with_a_code_that_has_it_come_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        stream = await bridge.open_stream()
        await stream.here({"triggerId": "t"})
        stopping = asyncio.create_task(bridge.terminate())
        assert (await stream.end()).code == 4006
        assert await stopping == 0


async def test_a_stream_that_has_yet_to_say_hello_is_closed_likewise(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        socket = await bridge.session.ws_connect(
            f"{bridge.base}/v1/stream?clientId=c&sessionId=s", headers=bridge.authorized
        )
        stream = Streamer(socket, "json")
        assert (await stream.receive())["type"] == "hello"
        stopping = asyncio.create_task(bridge.terminate())
        assert (await stream.end()).code == 4006
        assert await stopping == 0


@asynccontextmanager
async def slow_body(bridge: BridgeProcess) -> AsyncIterator[None]:
    """A firing whose body never ends, so that stopping takes a while."""
    parts = urlsplit(bridge.base)
    _, slow = await asyncio.open_connection(parts.hostname, parts.port)
    head = (
        f"POST /v1/triggers/t/fire HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        f"Authorization: {bridge.authorized['Authorization']}\r\n"
        "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
    )
    slow.write(head.encode())
    await slow.drain()
    await bridge.call("PUT", "/v1/triggers/t", {})  # by now the head has been read
    yield
    slow.close()


async def test_it_stops_in_time_while_a_body_is_on_its_way(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge, slow_body(bridge):
        assert await bridge.terminate() == 0


async def test_being_told_twice_is_being_told_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge, slow_body(bridge):
        bridge.signal(SIGTERM)
        await asyncio.sleep(0.3)
        assert await bridge.terminate() == 0
        assert len(bridge.logged("stop")) == 1


async def test_it_stops_in_time_with_connections_that_say_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        parts = urlsplit(bridge.base)
        idle = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(20)]
        assert await bridge.terminate() == 0
        for _, writer in idle:
            writer.close()


async def test_it_ends_in_time_with_a_store_that_does_not_answer(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        await bridge.call("PUT", "/v1/triggers/t", {})
        with locked(bridge.folder / "bridge.db"):
            asked = asyncio.create_task(fire(bridge, "k"))
            await asyncio.sleep(0.5)
            assert await bridge.terminate() == 1
            assert await asked is None
        assert "does not answer" in bridge.logged("stop")[-1]["message"]
        await bridge.start()
        assert await fire(bridge, "k") is not None
