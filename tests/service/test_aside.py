"""What takes long keeps neither the loop nor the decisions waiting."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from schedule_bridge.api.aside import Rehearsal, TooBusy, by_size

if TYPE_CHECKING:
    from service.bridge import RunningBridge

LARGE = "x" * 100_000


@pytest.mark.parametrize(("size", "beside"), [(100, False), (1_000_000, True)])
async def test_large_things_are_read_beside_the_loop(size: int, *, beside: bool) -> None:
    thread = await by_size(size, threading.get_ident)
    assert (thread != threading.get_ident()) is beside


async def test_frames_may_be_large(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    reply = await stream.here({"triggerId": "t", "payload": LARGE})
    assert reply["invalid"] == []
    await bridge.fire()
    assert (await stream.next())["payload"] == LARGE


async def test_what_is_tried_out_waits_in_one_line_of_bounded_length(
    bridge: RunningBridge,
) -> None:
    await bridge.set()
    held = threading.Event()
    rehearsal = bridge.rehearsal
    line = [asyncio.create_task(rehearsal.do(held.wait)) for _ in range(16)]
    try:
        await asyncio.sleep(0)
        body = {"schedule": {"kind": "none"}}
        refused = await bridge.call("POST", "/v1/schedules/preview", body)
        assert (refused.status, refused.problem) == (429, "too-busy")
        (decision,) = await bridge.fire(body={"payload": LARGE})
        assert decision["decision"] == "started"
    finally:
        held.set()
        await asyncio.gather(*line)
    assert (await bridge.call("POST", "/v1/schedules/preview", body)).status == 200


async def test_what_waits_to_be_tried_out_is_dropped_at_the_end() -> None:
    held, rehearsal = threading.Event(), Rehearsal()
    first, second = (asyncio.create_task(rehearsal.do(held.wait)) for _ in range(2))
    await asyncio.sleep(0)
    await rehearsal.close()
    held.set()
    assert await first
    with pytest.raises(asyncio.CancelledError):
        await second
    with pytest.raises(TooBusy):
        await rehearsal.do(held.wait)
