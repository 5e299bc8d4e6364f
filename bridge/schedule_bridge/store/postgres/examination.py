"""A look at a store in PostgreSQL without changing it, whether bridges are using it or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from schedule_bridge.store import rows
from schedule_bridge.store.contradictions import CONTRADICTIONS, NOTES, PASSED_TICKS
from schedule_bridge.store.errors import StoreError
from schedule_bridge.store.findings import (
    CLOCK,
    CORRECT,
    INTEGRITY,
    MODES,
    ROWS,
    SHOWN_AT_MOST,
    TABLES,
    VERSION,
    Examination,
    note,
    on_time,
    on_version,
    wrong,
)
from schedule_bridge.store.postgres import statements
from schedule_bridge.store.postgres.address import shown
from schedule_bridge.store.postgres.faults import FAULTS, told
from schedule_bridge.store.postgres.leases import EVERYTHING
from schedule_bridge.store.postgres.pools import SCHEMA, connect
from schedule_bridge.store.postgres.schema import LATEST, version_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    import asyncpg

    from schedule_bridge.core.model import Instant
    from schedule_bridge.store.findings import Finding

_SIZE: Final = """
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relkind = 'r'
"""
_IN_USE: Final = "SELECT EXISTS (SELECT FROM leases WHERE expires_at > clock_timestamp())"
_OPEN_TO_ALL: Final = "SELECT has_schema_privilege('public', $1, 'USAGE')"
# What has to be on, else a crash of the machine may take back or damage what was committed.
_OFF: Final = """
SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'
"""
_STANDBY: Final = "SELECT pg_is_in_recovery()"
_READ_AT_START: Final = (
    ("trigger", statements.READ_TRIGGERS, (), rows.read_trigger),
    ("run", statements.READ_ACTIVE, (), rows.read_execution),
    ("the firing held for trigger", statements.READ_HELD, (rows.DELAYED,), rows.read_firing),
    ("the firing held for trigger", statements.READ_HELD, (rows.BUFFERED,), rows.read_firing),
)
_REPAIR: Final = "Stop the bridges, keep a copy of the database, and restore a backup."


async def examine_database(url: str, now: Instant) -> Examination:
    """Looks at the store in a database at a time of the wall clock; reads it, changes nothing.

    Raises:
        StoreError: it cannot be reached, or there is no store in it.
    """
    connection = await connect(url, seconds=None)
    into = Examination(shown(url), bytes_on_disk=0)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            into.schema_version = await version_of(connection)
            if into.schema_version == 0:
                raise StoreError(f"There is no store in {into.path}. Name it with --database.")
            into.findings += [finding async for finding in _look_at(connection, into, now)]
    except FAULTS as error:
        into.findings.append(wrong(INTEGRITY, str(told(error, str(into.path)))))
    finally:
        connection.terminate()
    return into


async def _look_at(
    connection: asyncpg.Connection, into: Examination, now: Instant
) -> AsyncIterator[Finding]:
    into.bytes_on_disk = await connection.fetchval(_SIZE, SCHEMA)
    into.bridge_is_running = await connection.fetchval(_IN_USE)
    if await connection.fetchval(_OPEN_TO_ALL, SCHEMA):
        said = f"Every role of the database can get at the schema {SCHEMA}."
        yield wrong(MODES, said, f"Run: REVOKE ALL ON SCHEMA {SCHEMA} FROM PUBLIC")
    for finding in on_version(into, LATEST):
        yield finding
    async for finding in _server(connection):
        yield finding
    into.checked |= {MODES, VERSION, INTEGRITY}
    if into.schema_version != LATEST:
        return  # its rows cannot be read as this version means them
    async for finding in _rows(connection, into):
        yield finding
    clock = await connection.fetchval(statements.READ_CLOCK, EVERYTHING)
    into.ahead = max(clock - now, 0)
    passed = await connection.fetchval(PASSED_TICKS.replace("?", "$1"), now)
    for finding in on_time(into, passed):
        yield finding
    into.checked |= {ROWS, CLOCK}


async def _server(connection: asyncpg.Connection) -> AsyncIterator[Finding]:
    for row in await connection.fetch(_OFF):
        said = f"{row['name']} is off: a crash of the machine may take back what was decided."
        yield wrong(INTEGRITY, said, f"Switch {row['name']} on in postgresql.conf.")
    if await connection.fetchval(_STANDBY):
        yield wrong(INTEGRITY, "It is a standby, which cannot be written.", "Name the primary.")


async def _rows(connection: asyncpg.Connection, into: Examination) -> AsyncIterator[Finding]:
    for table in TABLES:
        into.rows[table] = await connection.fetchval(f"SELECT count(*) FROM {table}")  # noqa: S608
    for what, sql, more, read in _READ_AT_START:
        async for row in connection.cursor(sql, EVERYTHING, *more):
            try:
                read(dict(row))
            except rows.UNREADABLE as error:
                yield wrong(ROWS, f"The row of {what} {row[0]} cannot be read: {error}.", _REPAIR)
    for said in await _answers(connection, CONTRADICTIONS):
        yield wrong(ROWS, f"Contradiction: {said}.", CORRECT)
    for said in await _answers(connection, NOTES):
        yield note(ROWS, said)


async def _answers(connection: asyncpg.Connection, questions: Iterable[str]) -> list[Any]:
    said: list[Any] = []
    for question in questions:
        sql = question.replace("group_concat(", "string_agg(")
        said += [row[0] for row in await connection.fetch(f"{sql} LIMIT {SHOWN_AT_MOST}")]
    return said
