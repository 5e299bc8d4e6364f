"""Stores of any size, made once and kept under `.bench/`: SQLite files as a bridge leaves them."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.places import KEPT
from bench.triggers import declared, of_all_kinds
from schedule_bridge.core.decisions import Decision, Verdict
from schedule_bridge.core.model import (
    DAY,
    NO_KEY,
    SECOND,
    ClientId,
    Execution,
    ExecutionId,
    FiringId,
    LockKey,
    Source,
    State,
    TriggerId,
    WorkflowId,
    WorkspaceId,
)
from schedule_bridge.schedule import ZONE_DATA_VERSION
from schedule_bridge.store import SqliteStore, TriggerRecord, rows, statements
from schedule_bridge.store.payloads import pack_value
from schedule_bridge.store.sqlite_schema import LATEST

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CLIENT = ClientId("bench")
_HERE = WorkspaceId("default")
_KEPT_FOR = 30 * DAY
"""Ticks and deadlines lie a year ahead; a kept store is made anew long before."""
_YEAR = 365 * DAY


@dataclass(slots=True, frozen=True)
class Content:
    """What a store holds; of `history` one half are decisions, the other runs that have ended.

    With `crons` every other schedule is a cron expression, else all are intervals.
    """

    triggers: int = 1_000
    active: int = 0
    waiting: int = 0
    history: int = 0
    crons: bool = False

    @property
    def file(self) -> Path:
        """Where it is kept, by what it holds and the version of the schema."""
        counts = f"{self.triggers}-{self.active}-{self.waiting}-{self.history}"
        counts += "-crons" if self.crons else ""
        return KEPT / "stores" / f"{counts}-v{LATEST}.db"


def store_with(content: Content) -> Path:
    """The file of such a store, made now unless it is there; whoever changes it takes a copy."""
    if not content.file.exists() or time.time() - content.file.stat().st_mtime > _KEPT_FOR / SECOND:
        content.file.parent.mkdir(parents=True, exist_ok=True)
        passing = content.file.with_suffix(".new")
        passing.unlink(missing_ok=True)
        asyncio.run(_make_empty(passing))
        _fill(passing, content, time.time_ns() // 1000)
        passing.replace(content.file)
        passing.with_name(f"{passing.name}.lock").unlink(missing_ok=True)
    return content.file


def copy_of(content: Content, folder: Path) -> Path:
    """A store with that content, to be changed at will."""
    kept = store_with(content)
    copy = folder / kept.name
    shutil.copy(kept, copy)
    return copy


async def _make_empty(file: Path) -> None:
    store = SqliteStore(file)
    await store.open()
    await store.close()


def _fill(file: Path, content: Content, now: int) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        fill = connection.executemany
        fill(statements.SET_TRIGGER, map(rows.trigger_row, trigger_records(content, now)))
        fill(statements.SET_ENDED_EXECUTION, map(rows.execution_row, _executions(content, now)))
        fill(statements.SET_DECISION, map(rows.decision_row, _decisions(content, now)))
        connection.execute(statements.SET_WORKSPACE, (_HERE, 0, content.triggers))
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def trigger_records(content: Content, now: int) -> Iterator[TriggerRecord]:
    """Triggers whose next tick is a year ahead."""
    for number in range(content.triggers):
        kind = number if content.crons else 1  # an odd number is an interval
        body = declared(number, schedule=of_all_kinds(kind))
        yield TriggerRecord(
            trigger_id=TriggerId(body["triggerId"]),
            workspace_id=_HERE,
            client_id=_CLIENT,
            configuration=pack_value(body),
            paused_since=None,
            detached_since=None,
            anchor=now,
            next_tick=now + _YEAR,
            zone_data=ZONE_DATA_VERSION,
        )


def _executions(content: Content, now: int) -> Iterator[Execution]:
    """The active ones of the first triggers, the waiting ones behind one run for their key."""
    ended, active = content.history // 2, content.active
    for number in range(ended):
        yield _execution(number, number % content.triggers, now, State.COMPLETED)
    for number in range(active):
        yield _execution(ended + number, number, now, State.RUNNING)
    key = LockKey("in demand") if content.waiting else NO_KEY
    for number in range(content.waiting + 1 if content.waiting else 0):
        state = State.QUEUED if number else State.RUNNING
        yield _execution(ended + active + number, active + number, now, state, key)


def _execution(
    order: int, trigger: int, now: int, state: State, lock_key: LockKey = NO_KEY
) -> Execution:
    name = f"{_CLIENT}.{trigger:06}"
    execution = Execution(
        execution_id=ExecutionId(f"{order:016x}"),
        trigger_id=TriggerId(name),
        workflow_id=WorkflowId(name),
        workspace_id=_HERE,
        client_id=_CLIENT,
        lock_key=lock_key,
        firing_id=FiringId(f"{order:016x}"),
        firing_key=None,
        source=Source.SCHEDULE,
        priority=5,
        payload=None,
        scheduled_at=now - SECOND,
        created_at=now - SECOND,
        order=order + 1,
        state=state,
    )
    if state is not State.QUEUED:
        execution.fencing_token, execution.pending_at = order + 1, now - SECOND
        execution.started_at, execution.session_id = now - SECOND, "s"
        execution.deadline = now + _YEAR
    execution.ended_at = now if state.terminal else None
    return execution


def _decisions(content: Content, now: int) -> Iterator[Decision]:
    for number in range(content.history // 2):
        name = f"{_CLIENT}.{number % content.triggers:06}"
        yield Decision(
            firing_id=FiringId(f"{number:016x}"),
            verdict=Verdict.STARTED,
            reason=None,
            message=f"Started: run {number:04x}.",
            trigger_id=TriggerId(name),
            workflow_id=WorkflowId(name),
            workspace_id=_HERE,
            lock_key=NO_KEY,
            execution_id=ExecutionId(f"{number:016x}"),
            decided_at=now - SECOND,
            fired_at=now - SECOND,
        )
