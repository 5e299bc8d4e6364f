"""Connections to a database: some to write, some to read, so that no long question keeps a commit.

Each call is one round trip: a prepared statement that is its own transaction, and nothing is said
when a connection is given back.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import asyncpg

from schedule_bridge.store.errors import StoreError
from schedule_bridge.store.postgres.address import shown
from schedule_bridge.store.postgres.faults import FAULTS, told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SCHEMA: Final = "schedule_bridge"

_CONNECT_SECONDS: Final = 5
_WRITE_SECONDS: Final = 8
_LEASE_SECONDS: Final = 4
_READ_SECONDS: Final = 60
_GRACE_SECONDS: Final = 2
"""The server gives up before the driver does, since then both know what has become of it."""
_SETTINGS: Final = {
    "application_name": "schedule-bridge",
    "search_path": SCHEMA,
    "jit": "off",
}
_DURABLE: Final = """
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') = 'off'
"""


async def connect(url: str, *, seconds: float | None) -> asyncpg.Connection:
    """A connection of its own; its statements may take so many seconds, or as long as need be.

    Raises:
        StoreError: the database cannot be reached, or does not let the bridge in.
    """
    try:
        return await asyncpg.connect(
            url,
            timeout=_CONNECT_SECONDS,
            command_timeout=seconds and seconds + _GRACE_SECONDS,
            server_settings=_settings(seconds),
        )
    except FAULTS as error:
        raise told(error, shown(url)) from error


class Pool:
    """A few connections that are made when they are needed, and made anew when they are lost."""

    def __init__(self, url: str, *, size: int, seconds: float, plan: str = "auto") -> None:
        self._url = url
        self._name = shown(url)
        self._size = size
        self._seconds = seconds
        self._plan = plan
        self._pool: asyncpg.Pool | None = None

    async def open(self) -> None:
        """Gets ready; connections are made when they are asked for."""
        settings = {**_settings(self._seconds), "plan_cache_mode": self._plan}
        try:
            self._pool = await asyncpg.create_pool(
                self._url,
                min_size=0,
                max_size=self._size,
                timeout=_CONNECT_SECONDS,
                command_timeout=self._seconds + _GRACE_SECONDS,
                server_settings=settings,
                init=_make_durable,
                reset=_leave_as_it_is,
            )
        except FAULTS as error:
            raise told(error, self._name) from error

    async def close(self) -> None:
        """Closes all connections; nothing is under way in them by then."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.terminate()

    async def fetch(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """All rows of an answer.

        Raises:
            StoreError: in words for people what has gone wrong.
        """
        async with self._connection() as connection:
            return [dict(row) for row in await connection.fetch(sql, *values)]

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        if self._pool is None:
            raise StoreError("The store is not open.")
        try:
            async with self._pool.acquire(timeout=_CONNECT_SECONDS + _GRACE_SECONDS) as connection:
                try:
                    yield connection
                except asyncpg.PostgresError:
                    raise
                except BaseException:
                    # Whatever is under way in it, nobody waits for it to end.
                    connection.terminate()
                    raise
        except FAULTS as error:
            raise told(error, self._name) from error


_WRITERS: Final = 8
_LEASERS: Final = 2
_READERS: Final = 4
CONNECTIONS: Final = _WRITERS + _LEASERS + _READERS
"""How many connections a bridge has at the most."""


def writing_pool(url: str) -> Pool:
    """For commits, which are short."""
    return Pool(url, size=_WRITERS, seconds=_WRITE_SECONDS)


def leasing_pool(url: str) -> Pool:
    """For leases, which no other work may keep from being renewed."""
    return Pool(url, size=_LEASERS, seconds=_LEASE_SECONDS)


def reading_pool(url: str) -> Pool:
    """For questions, which may take long, and are planned for what each one asks for."""
    return Pool(url, size=_READERS, seconds=_READ_SECONDS, plan="force_custom_plan")


def _settings(seconds: float | None) -> dict[str, str]:
    return {**_SETTINGS, "statement_timeout": str(int((seconds or 0) * 1000))}


async def _make_durable(connection: asyncpg.Connection) -> None:
    """A commit that is answered is on the disk, whatever the database does by itself."""
    await connection.execute(_DURABLE)


async def _leave_as_it_is(connection: asyncpg.Connection) -> None:
    """No statement leaves anything behind in a connection."""
