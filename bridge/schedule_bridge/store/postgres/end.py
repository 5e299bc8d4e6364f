"""A database as an end of a move."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from schedule_bridge.store.moving.tables import PAGE
from schedule_bridge.store.postgres.faults import FAULTS, told
from schedule_bridge.store.postgres.leases import EVERYTHING
from schedule_bridge.store.postgres.pools import connect
from schedule_bridge.store.postgres.whole import WholePostgresStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    import asyncpg

    from schedule_bridge.core.model import Instant
    from schedule_bridge.store.batch import Row
    from schedule_bridge.store.moving.tables import Table

_CLOCK = "SELECT coalesce(max(clock), 0) FROM leases"
# Whoever looks for free workspaces with something to do finds those that have a lease.
_KEEP = """
INSERT INTO leases (workspace_id) SELECT DISTINCT workspace_id FROM triggers ON CONFLICT DO NOTHING
"""
_HOLD = "SELECT hold_fast($1, $2, $3, $4)"
_COUNT_ON = """
SELECT setval(
    pg_get_serial_sequence($1, 'number'), greatest((SELECT max(number) FROM {0}), 1),
    EXISTS (SELECT FROM {0})
)
"""
_NUMBERED = ("decisions", "missed_stretches")


@asynccontextmanager
async def postgres_source(url: str) -> AsyncIterator[PostgresEnd]:
    """A database to move from. The order of creation is that over all of its workspaces."""
    async with _held(url) as (store, connection):
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            yield PostgresEnd(store, connection, created_by="number")
        await store.reopen()  # raises if another has come in between


@asynccontextmanager
async def postgres_target(url: str) -> AsyncIterator[PostgresEnd]:
    """A database to move into; its schema is made if it is not there."""
    async with _held(url) as (store, connection):
        transaction = connection.transaction()
        await transaction.start()
        yield PostgresEnd(store, connection, created_by="creation_order", commit=transaction)


class PostgresEnd:
    """A connection in one transaction, under the lease on everything."""

    def __init__(
        self,
        store: WholePostgresStore,
        connection: asyncpg.Connection,
        *,
        created_by: str,
        commit: Any = None,
    ) -> None:
        """`created_by` is the column for the order in which executions were created."""
        self.name = store.name
        self._store = store
        self._connection = connection
        self._created_by = created_by
        self._transaction = commit

    async def clock(self) -> Instant:
        """Engine time at the last commit, in whichever workspace it was."""
        with _telling_faults(self.name):
            return int(await self._connection.fetchval(_CLOCK))

    async def count(self, table: Table) -> int:
        """How many rows a table has."""
        sql = f"SELECT count(*) FROM {table.name}"  # noqa: S608 - our own tables
        with _telling_faults(self.name):
            return int(await self._connection.fetchval(sql))

    async def pages(self, table: Table) -> AsyncIterator[Sequence[Row]]:
        """All rows of a table in its order, PAGE at a time."""
        columns, order = ", ".join(table.columns), ", ".join(table.order)
        if table.name == "executions":
            columns = columns.replace("creation_order", f"{self._created_by} AS creation_order")
        sql = f"SELECT {columns} FROM {table.name} ORDER BY {order}"  # noqa: S608 - our own tables
        with _telling_faults(self.name):
            cursor = await self._connection.cursor(sql)
            while page := await cursor.fetch(PAGE):
                yield [tuple(row) for row in page]

    async def add(self, table: Table, given: Sequence[Row]) -> None:
        """Adds rows, to be kept or not with all others."""
        with _telling_faults(self.name):
            await self._connection.copy_records_to_table(
                table.name, records=given, columns=table.columns
            )

    async def keep(self, clock: Instant) -> None:
        """Makes durable what was added."""
        lease = (EVERYTHING, self._store.owner, self._store.epoch)
        with _telling_faults(self.name):
            for table in _NUMBERED:
                await self._connection.execute(_COUNT_ON.format(table), table)
            await self._connection.execute(_KEEP)
            await self._connection.execute(_HOLD, *lease, clock)
            await self._transaction.commit()


@asynccontextmanager
async def _held(url: str) -> AsyncIterator[tuple[WholePostgresStore, asyncpg.Connection]]:
    store = WholePostgresStore(url)
    await store.open()
    try:
        connection = await connect(url, seconds=None)
        try:
            with _telling_faults(store.name):
                yield store, connection
        finally:
            connection.terminate()
    finally:
        await store.close()


@contextmanager
def _telling_faults(name: str) -> Iterator[None]:
    try:
        yield
    except FAULTS as error:
        raise told(error, name) from error
