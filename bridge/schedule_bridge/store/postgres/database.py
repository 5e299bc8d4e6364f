"""One database: its connections, its schema, its leases, and what is asked of all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.model import ExecutionId, TriggerId, WorkspaceId
from schedule_bridge.store.postgres import statements
from schedule_bridge.store.postgres.address import shown
from schedule_bridge.store.postgres.history import PostgresHistory
from schedule_bridge.store.postgres.leases import EVERYTHING, PostgresLeases
from schedule_bridge.store.postgres.pools import leasing_pool, reading_pool, writing_pool
from schedule_bridge.store.postgres.register import PostgresRegister
from schedule_bridge.store.postgres.schema import MIGRATIONS, migrate
from schedule_bridge.store.postgres.store import PRUNE_STEP, PostgresStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.store.postgres.pools import Pool
    from schedule_bridge.store.protocol import PruneLimits
    from schedule_bridge.store.shared import Lease


class PostgresDatabase:
    """What several bridges share. All methods may raise StoreError.

    `name` is its address for people, without a password.
    """

    def __init__(self, url: str) -> None:
        self.name = shown(url)
        self.schema_version = 0
        self.writing = writing_pool(url)
        self.reading = reading_pool(url)
        self._leasing = leasing_pool(url)
        self.leases = PostgresLeases(self._leasing)
        self.register = PostgresRegister(self._leasing)
        self.history = PostgresHistory(self.reading, EVERYTHING, self.name)
        self._url = url
        self._pruned: str = EVERYTHING

    async def open(self) -> None:
        """Makes or migrates the schema, then the first connections."""
        self.schema_version = await migrate(self._url, MIGRATIONS)
        try:
            for pool in self._pools():
                await pool.open()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Closes all connections; nothing is under way by then."""
        for pool in self._pools():
            await pool.close()

    def of_workspace(self, lease: Lease, seconds: float) -> PostgresStore:
        """The store of what a lease is on; `seconds` is how long it lasts when it is taken anew."""
        return PostgresStore(self, lease, seconds)

    async def workspaces_of_triggers(
        self, trigger_ids: Sequence[TriggerId]
    ) -> dict[TriggerId, WorkspaceId]:
        """Where triggers are, of those that are registered."""
        found = await self.reading.fetch(statements.WORKSPACES_OF_TRIGGERS, list(trigger_ids))
        return {TriggerId(row["trigger_id"]): WorkspaceId(row["workspace_id"]) for row in found}

    async def workspace_of_execution(self, execution_id: ExecutionId) -> WorkspaceId | None:
        """Where the execution of that id is or was, or None."""
        return await self._place(statements.WORKSPACE_OF_EXECUTION, execution_id)

    async def workspace_of_answer(self, key: str) -> WorkspaceId | None:
        """Where a request that named itself so was answered last, or None."""
        return await self._place(statements.WORKSPACE_OF_ANSWER, key)

    async def trigger_ids(
        self, workspace_id: WorkspaceId | None, after: str, limit: int
    ) -> list[tuple[TriggerId, WorkspaceId]]:
        """Triggers of one workspace or of all, by id, beginning after one."""
        asked = (workspace_id or EVERYTHING, after, limit)
        found = await self.reading.fetch(statements.READ_TRIGGER_IDS, *asked)
        return [(TriggerId(row["trigger_id"]), WorkspaceId(row["workspace_id"])) for row in found]

    async def agree_on_token(self, digest: bytes) -> bool:
        """Whether it is the token of the bridges that run; while none runs, it becomes theirs."""
        (row,) = await self.writing.fetch(statements.AGREE, digest)
        return bool(row["agreed"])

    async def prune_free(self, limits: PruneLimits) -> int:
        """Prunes one step in a workspace that nobody has, another one each time; rows gone."""
        found = await self.reading.fetch(statements.FREE_WORKSPACES, self._pruned)
        if not found:
            self._pruned = EVERYTHING
            return 0
        self._pruned = found[0]["workspace_id"]
        asked = (limits.before, limits.keep, limits.keys_before, PRUNE_STEP)
        (row,) = await self.writing.fetch(statements.PRUNE, self._pruned, None, None, *asked)
        return int(row["gone"])

    def _pools(self) -> tuple[Pool, ...]:
        return (self.writing, self.reading, self._leasing)

    async def _place(self, sql: str, name: str) -> WorkspaceId | None:
        found = await self.reading.fetch(sql, name)
        return WorkspaceId(found[0]["workspace_id"]) if found else None
