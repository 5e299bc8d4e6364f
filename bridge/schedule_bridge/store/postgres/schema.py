"""The schema of the database: numbered files, applied in order, in one transaction."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Final

from schedule_bridge.store.errors import NewerStoreError
from schedule_bridge.store.postgres.address import shown
from schedule_bridge.store.postgres.faults import FAULTS, told
from schedule_bridge.store.postgres.pools import SCHEMA, connect

if TYPE_CHECKING:
    import asyncpg

_LOCK: Final = 0x5C4ED01E
"""The advisory lock of whoever migrates; any number that nobody else takes."""
_VERSIONS: Final = f"{SCHEMA}.schema_versions"
_MAKE_VERSIONS: Final = f"""
CREATE TABLE {_VERSIONS} (
    version bigint PRIMARY KEY,
    made_at timestamptz NOT NULL DEFAULT now()
)
"""
_NOTE: Final = f"INSERT INTO {_VERSIONS} (version) VALUES ($1)"  # noqa: S608 - our own words
_READ: Final = f"SELECT coalesce(max(version), 0) FROM {_VERSIONS}"  # noqa: S608 - our own words


def _read_migrations() -> list[str]:
    folder = resources.files("schedule_bridge.store") / "sql" / "postgres"
    scripts = sorted((file.name, file.read_text()) for file in folder.iterdir())
    return [script for _, script in scripts]


MIGRATIONS: Final = _read_migrations()
LATEST: Final = len(MIGRATIONS)
"""The version that this bridge reads and writes."""


async def migrate(url: str, migrations: list[str]) -> int:
    """Brings the schema up to date; its version after that. One bridge at a time does so.

    A role without the right to make tables does for a schema that is up to date.

    Raises:
        NewerStoreError: a later version of the bridge has written the store.
        StoreError: the database cannot be reached or changed.
    """
    connection = await connect(url, seconds=None)
    try:
        version = await version_of(connection)
        if version < len(migrations):
            # Before the transaction, whose beginning is when it hears of tables made meanwhile.
            await connection.execute("SELECT pg_advisory_lock($1)", _LOCK)
            async with connection.transaction():
                version = await _apply(connection, migrations)
    except FAULTS as error:
        raise told(error, shown(url)) from error
    finally:
        connection.terminate()
    if version > len(migrations):
        raise NewerStoreError(shown(url), version, len(migrations))
    return version


async def version_of(connection: asyncpg.Connection) -> int:
    """The number of the schema's version; 0 is a new database."""
    if await connection.fetchval("SELECT to_regclass($1)", _VERSIONS) is None:
        return 0
    version: int = await connection.fetchval(_READ)
    return version


async def _apply(connection: asyncpg.Connection, migrations: list[str]) -> int:
    version = await version_of(connection)  # another one may have been quicker
    if version == 0:
        if not await connection.fetchval("SELECT to_regnamespace($1) IS NOT NULL", SCHEMA):
            await connection.execute(f"CREATE SCHEMA {SCHEMA}")
        await connection.execute(_MAKE_VERSIONS)
    for number in range(version + 1, len(migrations) + 1):
        await connection.execute(migrations[number - 1])
        await connection.execute(_NOTE, number)
    return max(version, len(migrations))
