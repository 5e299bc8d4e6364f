"""However the clocks of a machine walk, every nominal tick fires once or was missed once (R23)."""

from __future__ import annotations

import os
import random
import secrets
import sys
import time
from typing import TYPE_CHECKING

from schedule_bridge.core.model import DAY
from schedule_bridge.engine import Settings

from .clock_walk import ClockWalk
from .rig import Rig

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SECONDS = float(os.environ.get("SEARCH_SECONDS", "8"))
FIRST_SEED = int(os.environ.get("SEARCH_SEED", secrets.randbelow(1_000_000)))
STEPS = 30
KEEPS_ALL = Settings(history_kept=1_000_000 * DAY, history_rows=1_000_000_000)


async def walk(folder: Path, seed: int) -> int:
    """One random walk; how many ticks it came past."""
    rig = Rig(folder, KEEPS_ALL)
    await rig.start()
    walked = ClockWalk(rig, random.Random(seed))  # noqa: S311 - no secret
    try:
        await walked.go(STEPS)
        return await walked.judge()
    except BaseException as error:
        error.add_note(f"Found with SEARCH_SEED={seed}: {walked.done}")
        raise
    finally:
        await rig.stop()


async def test_each_tick_fires_once_or_is_missed_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    until = time.monotonic() + SECONDS
    seed, ticks = FIRST_SEED, 0
    while time.monotonic() < until:
        folder = tmp_path / str(seed)
        folder.mkdir()
        ticks += await walk(folder, seed)
        seed += 1
    with capsys.disabled():
        walks = seed - FIRST_SEED
        sys.stdout.write(f"\nclocks: SEARCH_SEED={FIRST_SEED}, {walks} walks, {ticks} ticks\n")
