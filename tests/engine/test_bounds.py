"""Nothing grows without bound, and keeping it so holds up no decision."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from itertools import groupby
from typing import TYPE_CHECKING

from schedule_bridge.core.model import DAY, HOUR, WorkspaceId
from schedule_bridge.engine import Settings
from store.samples import decision, decisions

from .clock import MIDNIGHT
from .rig import Rig

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

_HOURLY = {"kind": "interval", "every": 3600}
_TRIGGERS = 20
_DAY_SECONDS = 86_400
_OLD_DECISIONS = 20_000


def pages_of(store: Path) -> int:
    """How many the file has once its log is folded in."""
    with closing(sqlite3.connect(store)) as connection:
        pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
    return pages


async def test_the_file_stays_flat_over_a_week(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the same load every day: the room of what is pruned is used again."""
    monkeypatch.setattr("schedule_bridge.engine.keeper._LONGEST_SLEEP", HOUR)
    rig = Rig(tmp_path, Settings(history_kept=DAY // 2, prune_every=2 * HOUR))
    await rig.start()
    for number in range(_TRIGGERS):
        await rig.set(f"t{number}", schedule=_HOURLY, payload={"text": "x" * 500})
    sizes = []
    for _ in range(7):
        await rig.pass_time(_DAY_SECONDS)
        await rig.set("t0", schedule=_HOURLY, payload={"text": "x" * 500})
        sizes.append(pages_of(tmp_path / "bridge.db"))
    made = sum(len(batch.decisions) for batch in rig.store.batches)
    with capsys.disabled():
        sys.stdout.write(f"\nbounds: {made} decisions in 7 days, pages after each: {sizes}\n")
    assert made >= 7 * 24 * _TRIGGERS
    assert max(sizes[2:]) <= 1.1 * sizes[1]
    await rig.stop()


async def test_decisions_get_in_between_the_steps_of_pruning(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    await rig.start()
    await rig.set()
    long_ago = MIDNIGHT - 99 * DAY
    old = (decision(f"old{number}", decided_at=long_ago) for number in range(_OLD_DECISIONS))
    await rig.store.append(decisions(*old))
    rig.store.written.clear()
    pruning = asyncio.create_task(rig.pass_time(300))
    while rig.store.written.count("prune") < _OLD_DECISIONS // 500:
        await rig.fire()
    await pruning
    steps_in_a_row = [len(list(run)) for kind, run in groupby(rig.store.written) if kind == "prune"]
    assert max(steps_in_a_row) <= 2
    assert [each.firing_id for each in await rig.decisions() if "old" in each.firing_id] == []
    await rig.stop()


async def test_what_waits_does_not_grow_with_each_firing(rig: Rig) -> None:
    await rig.set(overlapPolicy="queue")
    await rig.fire()
    for number in range(8):
        await rig.fire(payload={f"key{number}": "x" * 300_000})
    active = await rig.active()
    assert [each.payload for each in active.values()] == [
        None,
        {"key6": "x" * 300_000, "key7": "x" * 300_000},
    ]
    said = [each.message for each in await rig.decisions() if "let go" in each.message]
    assert len(said) == 2


async def test_a_workspace_whose_limit_is_taken_back_before_it_was_used_is_forgotten(
    rig: Rig,
) -> None:
    names = [WorkspaceId(f"w{number}") for number in range(9)]
    for limit in (3, 0):
        for name in names:
            await rig.engine.set_workspace(name, limit)
    assert set((await rig.house()).machine.world.workspaces) & set(names) == set()
    await rig.pass_time(300)
    assert [each.workspace_id for each in (await rig.store.load()).workspaces] == []


async def test_a_workspace_that_was_used_keeps_its_fencing_token(rig: Rig) -> None:
    """R17: the token only ever rises."""
    await rig.set(workspaceId="w")
    first = await rig.run()
    await rig.finish(first)
    await rig.engine.set_workspace(WorkspaceId("w"), 0)
    await rig.pass_time(300)
    await rig.restart()
    second = await rig.run()
    assert (first.fencing_token, second.fencing_token) == (1, 2)
