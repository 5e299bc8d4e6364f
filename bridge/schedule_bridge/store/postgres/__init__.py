"""The store for several bridges: PostgreSQL, by asyncpg, which is an optional part of the package.

Each workspace has one owner at a time, by a lease that runs out by the clock of the database. The
owner's epoch is looked at in the commit itself, under the lock of the lease's row.
"""

from schedule_bridge.store.postgres.database import PostgresDatabase
from schedule_bridge.store.postgres.leases import EVERYTHING, PostgresLeases
from schedule_bridge.store.postgres.store import PostgresStore
from schedule_bridge.store.postgres.whole import WholePostgresStore

__all__ = [
    "EVERYTHING",
    "PostgresDatabase",
    "PostgresLeases",
    "PostgresStore",
    "WholePostgresStore",
]
