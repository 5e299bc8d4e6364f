"""A start reads back what was kept: it computes no tick and reads no trigger's body."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from engine.rig import Rig

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path
    from types import FrameType

_TRIGGERS = 300
_BYTES_OF_ONE = 2_400
_READING = ("schedule_bridge/schedule/", "schedule_bridge/core/configuration.py")


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    """With triggers of both kinds, off since they were declared."""
    it = Rig(tmp_path)
    await it.start()
    for number in range(_TRIGGERS):
        cron = {"kind": "cron", "expression": f"{number % 60} 3 * * *", "timezone": "Asia/Tokyo"}
        schedule = {"kind": "interval", "every": 600} if number % 2 else cron
        await it.set(f"trigger {number}", workspaceId="w", clientId="c", schedule=schedule)
    await it.stop()
    yield it
    await it.stop()


async def test_a_start_computes_no_tick_and_reads_no_body(rig: Rig) -> None:
    calls: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename.replace("\\", "/")
        if event == "call" and any(each in file for each in _READING):
            calls.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        await rig.start()
    finally:
        sys.setprofile(None)
    assert calls == []


async def test_an_armed_trigger_takes_little_once_all_of_it_has_been_read(rig: Rig) -> None:
    tracemalloc.start()
    try:
        await rig.start()
        memory = (await rig.house()).memory
        for trigger_id, registration in memory.registrations.items():
            assert registration.schedule.next_after(0)
            assert memory.machine.world.triggers[trigger_id].config.client_id == "c"
        await rig.settle()
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert taken / _TRIGGERS < _BYTES_OF_ONE
