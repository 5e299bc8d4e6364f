"""A workspace of a database, or all of them, in the hands of its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schedule_bridge.store import rows
from schedule_bridge.store.batch import IdempotentAnswer, SkipStreak
from schedule_bridge.store.errors import StaleEpochError, StoreError
from schedule_bridge.store.postgres import statements
from schedule_bridge.store.postgres.batch import APPEND, arguments
from schedule_bridge.store.postgres.history import PostgresHistory
from schedule_bridge.store.postgres.turns import Turns
from schedule_bridge.store.protocol import Snapshot, WorkspaceRecord

if TYPE_CHECKING:
    from schedule_bridge.core.model import Execution
    from schedule_bridge.store.batch import Batch
    from schedule_bridge.store.postgres.database import PostgresDatabase
    from schedule_bridge.store.protocol import PruneLimits
    from schedule_bridge.store.shared import Lease

PRUNE_STEP = 500


class PostgresStore(PostgresHistory):
    """A Store under a lease that its owner has taken and renews; `epoch` is that of the lease."""

    kind = "postgresql"

    def __init__(self, database: PostgresDatabase, lease: Lease, seconds: float) -> None:
        super().__init__(database.reading, lease.workspace_id, database.name)
        self._database = database
        self._lease = lease
        self._seconds = seconds
        self._turns = Turns()

    @property
    def schema_version(self) -> int:
        """The number of the schema's version."""
        return self._database.schema_version

    @property
    def epoch(self) -> int:
        """What every write is made under; another number after each `reopen`."""
        return self._lease.epoch

    async def open(self) -> None:
        """The lease was taken by whoever made this."""

    async def close(self) -> None:
        """Waits for what is under way. The lease is its owner's to release."""
        await self._turns.all_done()

    async def reopen(self) -> None:
        """Takes the lease anew, under another epoch.

        An append whose answer was lost with the connection may be under way in the database: the
        lease is taken after it, and one that comes later is stale.

        Raises:
            StaleEpochError: another owner has the lease.
        """
        lease = self._lease
        taken = await self._database.leases.take(
            lease.workspace_id, lease.owner, lease.address, self._seconds
        )
        if not taken.mine:
            raise StaleEpochError(f"Another bridge, at {taken.address}, is the owner now.")
        self._lease = taken

    async def append(self, batch: Batch) -> None:
        """Writes a batch in one commit and one round trip, under the epoch of this moment."""
        try:
            values = arguments(batch)
        except rows.UNREADABLE as error:
            raise StoreError(f"A value cannot be written to {self.name}: {error}.") from error
        await self._write(APPEND, *values)

    async def prune(self, limits: PruneLimits) -> int:
        """Deletes one small step of what is older than its limits; how many rows went."""
        asked = (limits.before, limits.keep, limits.keys_before, PRUNE_STEP)
        ((gone,),) = [row.values() for row in await self._write(statements.PRUNE, *asked)]
        return int(gone)

    async def load(self) -> Snapshot:
        """Reads what is not history, of what is owned; nobody else can write it meanwhile."""
        (clock,) = await self._ask(statements.READ_CLOCK)
        (order,) = await self._ask(statements.LAST_ORDER)
        workspaces = await self._ask(statements.READ_WORKSPACES)
        triggers = await self._ask(statements.READ_TRIGGERS)
        delayed = await self._ask(statements.READ_HELD, rows.DELAYED)
        buffered = await self._ask(statements.READ_HELD, rows.BUFFERED)
        answers = await self._ask(statements.READ_ANSWERS)
        streaks = await self._ask(statements.READ_STREAKS)
        with self._telling_damage():
            return Snapshot(
                clock=clock["clock"],
                order=order["last_order"],
                epoch=self.epoch if self.workspace_id else 0,
                workspaces=self._workspaces(workspaces),
                triggers=[rows.read_trigger(row) for row in triggers],
                executions=await self._load_executions(),
                delayed=[rows.read_delayed(row) for row in delayed],
                buffered=[rows.read_firing(row) for row in buffered],
                answers=[IdempotentAnswer(**row) for row in answers],
                streaks=[SkipStreak(**row) for row in streaks],
            )

    def _workspaces(self, found: list[dict[str, Any]]) -> list[WorkspaceRecord]:
        """A single workspace is there even if nobody has spoken of it: it has an epoch."""
        if self.workspace_id and not found:
            return [WorkspaceRecord(self.workspace_id, limit=0, fencing_token=0)]
        return [WorkspaceRecord(*row.values()) for row in found]

    async def _load_executions(self) -> list[Execution]:
        executions = [rows.read_execution(row) for row in await self._ask(statements.READ_ACTIVE)]
        by_id = {execution.execution_id: execution for execution in executions}
        for row in await self._ask(statements.READ_JOBS_OF_ACTIVE):
            job = rows.read_job(row)
            by_id[job.execution_id].jobs[job.job_id] = job
        return executions

    async def _write(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """Calls what writes, after all that was given before, as the owner of this moment."""
        lease = self._lease
        me = (lease.workspace_id, lease.owner, lease.epoch)
        return await self._turns.give(lambda: self._database.writing.fetch(sql, *me, *values))
