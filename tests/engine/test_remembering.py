"""Whatever was done, a bridge that starts again knows all that it knew (section 7)."""

from __future__ import annotations

import os
import random
import secrets
import sys
import time
from typing import TYPE_CHECKING

from schedule_bridge.engine import Settings
from schedule_bridge.engine.memory import Memory

from .remembering import Commander, picture
from .rig import Rig

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SECONDS = float(os.environ.get("SEARCH_SECONDS", "8"))
FIRST_SEED = int(os.environ.get("SEARCH_SEED", secrets.randbelow(1_000_000)))
STEPS = 60


async def do_things(folder: Path, seed: int) -> None:
    """After each command what is in memory is what the store holds."""
    rig = Rig(folder)
    await rig.start()
    commander = Commander(rig, random.Random(seed))  # noqa: S311 - no secret
    done = []
    try:
        for _ in range(STEPS):
            done.append(await commander.go())
            await rig.settle()
            read_back = Memory(await rig.store.load(), Settings())
            assert picture((await rig.house()).memory) == picture(read_back)
    except BaseException as error:
        error.add_note(f"Found with SEARCH_SEED={seed}: {done}")
        raise
    finally:
        await rig.stop()


async def test_what_is_in_memory_is_what_the_store_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    until = time.monotonic() + SECONDS
    seed = FIRST_SEED
    while time.monotonic() < until:
        folder = tmp_path / str(seed)
        folder.mkdir()
        await do_things(folder, seed)
        seed += 1
    with capsys.disabled():
        rounds = seed - FIRST_SEED
        said = f"\nremembering: SEARCH_SEED={FIRST_SEED}, {rounds} rounds of {STEPS} commands\n"
        sys.stdout.write(said)
