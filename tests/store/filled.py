"""A store with something of everything: what `tests/store/versions` holds of each version.

`PYTHONPATH=tests .venv/bin/python -m store.filled` prints a new store as SQL, to be kept there.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from schedule_bridge.core.model import (
    DelayedFiring,
    ExecutionId,
    FiringId,
    Job,
    JobId,
    LockKey,
    State,
    TriggerId,
    WorkspaceId,
)
from schedule_bridge.store import (
    Batch,
    DecisionQuery,
    ExecutionQuery,
    SqliteStore,
    Store,
)
from schedule_bridge.store.rows import BUFFERED, DELAYED, buffered_row, delayed_row, job_row
from store.open_stores import opened
from store.samples import (
    HERE,
    answer,
    counters_of,
    decision,
    decisions,
    execution,
    executions,
    firing,
    missed_of,
    stretch,
    trigger,
)


async def fill(store: Store) -> None:
    """Writes the same into any store."""
    await store.append(everything())


def everything() -> Batch:
    batch = decisions(
        decision("f1", execution_id=ExecutionId("run1"), fired_at=1),
        decision("f2", reason="active", in_the_way=(ExecutionId("run2"),)),
        decision("f3", merged_into=FiringId("f2")),
        clock=1_000,
    )
    batch.workspaces = {HERE: (HERE, 5, 17), WorkspaceId("w"): ("w", 0, 3)}
    batch.triggers = {
        TriggerId("t"): trigger(
            configuration={"triggerId": "t", "schedule": {"kind": "interval", "every": 60}},
            client_id="c",
            paused_since=7,
            next_tick=60,
        ),
        TriggerId("u"): trigger("u", detached_since=9),
    }
    held = firing(5, lock_key=LockKey("k"), payload={"a": [1, None, b"bytes"]}, key="mine")
    batch.held = {
        (held.trigger_id, held.lock_key, DELAYED): delayed_row(DelayedFiring(held, 90, 4)),
        (held.trigger_id, held.lock_key, BUFFERED): buffered_row(held),
    }
    batch.executions = executions(
        execution(1, state=State.COMPLETED, ended_at=8, started_at=6),
        execution(2, state=State.RUNNING, payload={"deep": {"er": 1}}, lock_key=LockKey("k")),
        execution(3, state=State.ON_HOLD, hold_order=2, firing_key="theirs"),
    ).executions
    job = Job(JobId("j"), ExecutionId("run2"), 6, "build", claimed=True)
    batch.jobs = {(job.execution_id, job.job_id): job_row(job)}
    batch.missed = [stretch(1)]
    batch.answers = [answer("key", 5)]
    return batch


async def shown(store: Store) -> dict[str, Any]:
    """All that a store shows, as plain values."""
    return {
        "snapshot": asdict(await store.load()),
        "executions": [asdict(each) for each in await store.executions(ExecutionQuery())],
        "decisions": [asdict(each) for _, each in await store.decisions(DecisionQuery())],
        "missed": [asdict(each) for each in await missed_of(store, TriggerId("t"), 9)],
        "counters": await counters_of(store, TriggerId("t")),
    }


async def _print_new() -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "bridge.db"
        async with opened(lambda _: SqliteStore(file), Path(folder)) as store:
            await fill(store)
            version = store.schema_version
        with closing(sqlite3.connect(file)) as connection:
            sys.stdout.write("\n".join(connection.iterdump()))
            sys.stdout.write(f"\nPRAGMA user_version = {version};\n")


if __name__ == "__main__":
    asyncio.run(_print_new())
