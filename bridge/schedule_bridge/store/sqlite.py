"""The embedded store: SQLite in WAL mode with `synchronous=FULL`.

One connection writes, on a thread of its own; another one reads history, so that a long query
never keeps a decision waiting.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from schedule_bridge.store import rows, statements
from schedule_bridge.store.batch import IdempotentAnswer, RecentRun, SkipStreak
from schedule_bridge.store.errors import DamagedStoreError, StoreError
from schedule_bridge.store.one_thread import OneThread
from schedule_bridge.store.protocol import Snapshot, TriggerPast, WorkspaceRecord
from schedule_bridge.store.sqlite_faults import damaged, primary_code, told
from schedule_bridge.store.sqlite_files import StoreFiles
from schedule_bridge.store.sqlite_lock import take
from schedule_bridge.store.sqlite_schema import MIGRATIONS, migrate, row_as_dict
from schedule_bridge.store.writing import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import Execution, ExecutionId, TriggerId
    from schedule_bridge.store.batch import Batch
    from schedule_bridge.store.protocol import DecisionQuery, ExecutionQuery, PruneLimits

T = TypeVar("T")

PRUNE_STEP = 500
_BUSY_TIMEOUT_SECONDS = 5
_LOG_PAGES = 4000
"""After which the log is folded into the file: 16 MB. The commit that does it takes several times
as long as others, and the same pages are in the log again and again."""
_PATIENT = f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_SECONDS * 1000}"
_IMPATIENT = "PRAGMA busy_timeout = 0"
"""How the writing connection is while nobody waits for another program: the loop never does."""


class SqliteStore:
    """A store in one file, readable by its owner only."""

    kind = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.schema_version = 0
        self._files = StoreFiles(path)
        self._writing = OneThread("store-write")
        self._reading = OneThread("store-read")
        self._write_to: sqlite3.Connection | None = None
        self._read_from: sqlite3.Connection | None = None
        self._lock: sqlite3.Connection | None = None
        self._doubtful = False

    async def open(self) -> None:
        """Makes the file if need be, brings the schema up to date, keeps others from writing."""
        try:
            await self._write(self._open)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Closes both connections; the write-ahead log is folded into the file."""
        await self._read(self._close_reader)
        await self._write(self._close)
        self._writing.end()
        self._reading.end()

    async def reopen(self) -> None:
        """After a failure: opens the file anew, and sees whether it is sound if it seemed not."""
        await self._read(self._close_reader)
        await self._write(self._reopen)

    async def load(self) -> Snapshot:
        """Reads what is not history."""
        return await self._write(self._load)

    async def append(self, batch: Batch) -> None:
        """Writes a batch in one durable commit.

        Few rows are written on the loop, and the thread is left the commit, which waits for the
        disk: at every row the two would have to wait for each other.
        """
        with self._noting_damage():
            if not batch.is_large and self._writing.is_idle and self._wrote(batch):
                # Begun is begun: the next one would find the transaction open.
                await self._writing.give(self._commit, certain=True)
            else:
                await self._writing.give(lambda: self._append(batch))

    async def decisions(self, query: DecisionQuery) -> list[tuple[int, Decision]]:
        """Decisions with their numbers, newest first."""
        found = await self._query(statements.READ_DECISIONS, asdict(query))
        with self._telling_damage():
            return [(row["number"], rows.read_decision(row)) for row in found]

    async def executions(self, query: ExecutionQuery) -> list[Execution]:
        """Executions, newest first, those that have ended included."""
        found = await self._query(statements.READ_EXECUTIONS, asdict(query))
        with self._telling_damage():
            return [rows.read_execution(row) for row in found]

    async def execution(self, execution_id: ExecutionId) -> Execution | None:
        """One execution with its jobs, or None."""
        found = await self._query(statements.READ_EXECUTION, (execution_id,))
        if not found:
            return None
        with self._telling_damage():
            execution = rows.read_execution(found[0])
        jobs = map(rows.read_job, await self._query(statements.READ_JOBS, (execution_id,)))
        execution.jobs = {job.job_id: job for job in jobs}
        return execution

    async def pasts(
        self, trigger_ids: Sequence[TriggerId], *, runs: int, missed: int
    ) -> dict[TriggerId, TriggerPast]:
        """What history holds of triggers, with at most so many runs and stretches of each."""
        pasts = {trigger_id: TriggerPast() for trigger_id in trigger_ids}
        wanted = orjson.dumps(list(trigger_ids)).decode()
        for row in await self._query(statements.READ_COUNTS, (wanted,)):
            pasts[row["trigger_id"]].counters[row["kind"]] = row["decisions"]
        with self._telling_damage():
            for row in await self._query(statements.READ_LAST_DECISIONS, (wanted,)):
                pasts[row["trigger_id"]].last_decision = rows.read_decision(row)
            for row in await self._query(statements.READ_MISSED, (wanted, missed)):
                pasts[row["trigger_id"]].missed.append(rows.read_missed(row))
            for row in await self._query(statements.READ_RECENT_RUNS, (wanted, runs)):
                pasts[row.pop("trigger_id")].recent_runs.append(RecentRun(**row))
        return pasts

    async def prune(self, limits: PruneLimits) -> int:
        """Deletes one small step of what is older than its limits; how many rows went."""
        return await self._write(lambda: self._prune(limits))

    # on the loop, while the writing thread is idle

    def _wrote(self, batch: Batch) -> bool:
        """Writes a batch but for the commit; not if another program has the store locked now.

        That is waited for on the thread.
        """
        self._files.check()
        connection = self._writer
        if not _began(connection):
            return False
        with _undoing(connection):
            write(connection, batch)
        return True

    # on the writing thread

    def _open(self) -> None:
        self._files.make()
        self._lock = take(self._files.lock)
        self._write_to = self._connect_writer()
        self.schema_version = migrate(self._write_to, self.path, MIGRATIONS)
        self._read_from = self._connect()
        self._files.remember()

    def _reopen(self) -> None:
        self._files.check_database()
        if self._write_to is not None:
            self._save_log(self._write_to)
            self._write_to.close()
            self._write_to = None
        self._write_to = self._connect_writer()
        if self._doubtful:
            self._check(self._write_to)
        self._read_from = self._connect()
        self._files.remember()

    def _save_log(self, connection: sqlite3.Connection) -> None:
        """What was committed to a log that has lost its name is in no other file."""
        if self._files.helpers_are_lost:
            connection.execute(_PATIENT)
            done = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if done["busy"]:
                raise StoreError(f"The write-ahead log of {self.path} cannot be folded in yet.")

    def _check(self, connection: sqlite3.Connection) -> None:
        (said,) = connection.execute("PRAGMA quick_check(1)").fetchone().values()
        if said != "ok":
            raise damaged(self.path, said)
        self._doubtful = False

    def _connect_writer(self) -> sqlite3.Connection:
        connection = self._connect()
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
            # A deleted payload is overwritten; whether it would be differs from build to build.
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("BEGIN IMMEDIATE")  # whoever cannot write is told now
            connection.execute("ROLLBACK")
            connection.execute(_IMPATIENT)
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path,
            timeout=_BUSY_TIMEOUT_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.row_factory = row_as_dict
        return connection

    def _close(self) -> None:
        for connection in (self._write_to, self._lock):
            if connection is not None:
                connection.close()
        self._write_to = self._lock = None

    def _close_reader(self) -> None:
        """On the thread that reads, so that no query is under way."""
        if self._read_from is not None:
            self._read_from.close()
        self._read_from = None

    def _load(self) -> Snapshot:
        with self._telling_damage():
            return self._read_snapshot()

    def _read_snapshot(self) -> Snapshot:
        connection = self._writer
        (clock,) = connection.execute(statements.READ_CLOCK).fetchone().values()
        (order,) = connection.execute(statements.LAST_ORDER).fetchone().values()
        read = self._read_many
        return Snapshot(
            clock=clock,
            order=order,
            workspaces=[WorkspaceRecord(*row) for row in read(statements.READ_WORKSPACES)],
            triggers=[rows.read_trigger(row) for row in read(statements.READ_TRIGGERS)],
            executions=self._load_executions(),
            delayed=[rows.read_delayed(row) for row in read(statements.READ_HELD, (rows.DELAYED,))],
            buffered=[
                rows.read_firing(row) for row in read(statements.READ_HELD, (rows.BUFFERED,))
            ],
            answers=[IdempotentAnswer(**row) for row in read(statements.READ_ANSWERS)],
            streaks=[SkipStreak(**row) for row in read(statements.READ_STREAKS)],
        )

    def _read_many(self, sql: str, values: tuple[object, ...] = ()) -> Iterator[Any]:
        """Rows as SQLite's own, which cost a fraction of dictionaries."""
        cursor = self._writer.cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(sql, values)

    def _load_executions(self) -> list[Execution]:
        read = self._read_many
        executions = [rows.read_execution(row) for row in read(statements.READ_ACTIVE)]
        by_id = {execution.execution_id: execution for execution in executions}
        for row in read(statements.READ_JOBS_OF_ACTIVE):
            job = rows.read_job(row)
            by_id[job.execution_id].jobs[job.job_id] = job
        return executions

    def _append(self, batch: Batch) -> None:
        self._files.check()
        with _transaction(self._writer) as connection:
            write(connection, batch)

    def _commit(self) -> None:
        with _undoing(self._writer):
            self._writer.execute("COMMIT")

    def _prune(self, limits: PruneLimits) -> int:
        values = {**asdict(limits), "step": PRUNE_STEP}
        with _transaction(self._writer) as connection:
            return sum(connection.execute(sql, values).rowcount for sql in statements.PRUNE)

    # which thread, and what its faults are called

    @property
    def _writer(self) -> sqlite3.Connection:
        if self._write_to is None:
            raise StoreError("The store is not open.")
        return self._write_to

    async def _write(self, work: Callable[[], T]) -> T:
        with self._noting_damage():
            return await self._writing.give(work)

    async def _query(self, sql: str, values: Any) -> list[dict[str, Any]]:
        def work() -> list[dict[str, Any]]:
            if self._read_from is None:
                raise StoreError("The store is not open.")
            return self._read_from.execute(sql, values).fetchall()

        return await self._read(work)

    async def _read(self, work: Callable[[], T]) -> T:
        with self._telling_faults():
            return await self._reading.give(work)

    @contextmanager
    def _noting_damage(self) -> Iterator[None]:
        try:
            with self._telling_faults():
                yield
        except DamagedStoreError:
            self._doubtful = True
            raise

    @contextmanager
    def _telling_faults(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise told(error, self.path) from error

    @contextmanager
    def _telling_damage(self) -> Iterator[None]:
        try:
            yield
        except rows.UNREADABLE as error:
            raise damaged(self.path, f"a row cannot be read ({error})") from error


def _began(connection: sqlite3.Connection) -> bool:
    """Begins a transaction that writes, unless another program does that now."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if primary_code(error) != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Waits for another program to be done, writes, and commits."""
    connection.execute(_PATIENT)
    try:
        connection.execute("BEGIN IMMEDIATE")
        with _undoing(connection):
            yield connection
            connection.execute("COMMIT")
    finally:
        connection.execute(_IMPATIENT)


@contextmanager
def _undoing(connection: sqlite3.Connection) -> Iterator[None]:
    """What fails within a transaction leaves nothing of it."""
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
