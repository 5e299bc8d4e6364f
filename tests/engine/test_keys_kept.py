"""Answers to requests that named themselves are kept for a day, up to a number and a size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.engine import Settings

from .rig import Rig

if TYPE_CHECKING:
    from pathlib import Path

_SMALL = 200
"""More bytes than one answer of a rig takes with its key, fewer than two do with a long one."""


async def kept(rig: Rig) -> list[str]:
    """The keys that the store holds, oldest first."""
    return [answer.key for answer in (await rig.store.load()).answers]


async def repeated(rig: Rig, *keys: str) -> list[str]:
    """Which of the keys get their first answer again; the trigger skips whatever is new."""
    return [key for key in keys if (await rig.fire(key=key)) == ["started"]]


async def started_with(rig: Rig, *keys: str) -> None:
    """One run for each key, ended at once."""
    await rig.set(overlapPolicy="allow", maxConcurrent=99)
    for key in keys:
        await rig.fire(key=key)
    await rig.set(overlapPolicy="skip")


async def test_the_newest_keys_up_to_a_number_are_kept(tmp_path: Path) -> None:
    rig = Rig(tmp_path, Settings(keys_per_workspace=3))
    await rig.start()
    await started_with(rig, "a", "b", "c", "d", "e")
    assert await kept(rig) == ["c", "d", "e"]
    assert await repeated(rig, "c", "d", "e") == ["c", "d", "e"]
    await rig.restart()
    assert await repeated(rig, "c", "d", "e") == ["c", "d", "e"]
    await rig.stop()


async def test_the_newest_keys_up_to_a_size_are_kept(tmp_path: Path) -> None:
    """A firing for a thousand lock keys has an answer of a megabyte."""
    rig = Rig(tmp_path, Settings(key_bytes_per_workspace=_SMALL))
    await rig.start()
    long = "x" * (_SMALL // 2)
    await started_with(rig, "a", f"{long}b", f"{long}c")
    assert await kept(rig) == [f"{long}c"]
    await rig.restart()
    assert await repeated(rig, f"{long}c") == [f"{long}c"]
    await rig.stop()


async def test_a_key_is_forgotten_after_a_day(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    await rig.start()
    await started_with(rig, "a")
    await rig.pass_time(86_000)
    assert await repeated(rig, "a") == ["a"]
    await rig.pass_time(1_000)
    assert await kept(rig) == []
    assert await rig.fire(key="a", body="another") == ["started"]
    await rig.stop()
