"""Another program writes the file of the embedded store for a while: the loop waits for nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from schedule_bridge.store import DecisionQuery, SqliteStore

from .samples import decision, decisions

if TYPE_CHECKING:
    from pathlib import Path


async def test_an_append_waits_beside_the_loop_until_the_other_program_is_done(
    tmp_path: Path,
) -> None:
    store = SqliteStore(tmp_path / "bridge.db")
    await store.open()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        appended = asyncio.create_task(store.append(decisions(decision("f"), clock=60)))
        async with asyncio.timeout(4):  # less than what the store waits for others
            await asyncio.sleep(0.1)
        assert not appended.done()
        other.execute("ROLLBACK")
    await appended
    assert len(await store.decisions(DecisionQuery())) == 1
    await store.close()
