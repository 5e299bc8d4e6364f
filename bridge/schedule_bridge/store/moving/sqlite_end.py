"""The embedded store as an end of a move."""

from __future__ import annotations

import sqlite3
from contextlib import asynccontextmanager, closing, contextmanager
from typing import TYPE_CHECKING

from schedule_bridge.store import statements
from schedule_bridge.store.errors import StoreError
from schedule_bridge.store.moving.tables import PAGE
from schedule_bridge.store.sqlite import SqliteStore
from schedule_bridge.store.sqlite_faults import told
from schedule_bridge.store.sqlite_files import beside
from schedule_bridge.store.sqlite_lock import take
from schedule_bridge.store.sqlite_schema import LATEST, row_as_dict, version_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from pathlib import Path

    from schedule_bridge.core.model import Instant
    from schedule_bridge.store.batch import Row
    from schedule_bridge.store.moving.tables import Table

_TIMEOUT_SECONDS = 5


@asynccontextmanager
async def sqlite_source(path: Path) -> AsyncIterator[SqliteEnd]:
    """A file to move from; it is opened to be read only, and no bridge has it.

    Raises:
        StoreError: there is none, a bridge has it, or it is of another version.
    """
    _see_that_it_is_there(path)
    with _held(path, "ro") as connection:
        version = version_of(connection)
        if version != LATEST:
            raise StoreError(
                f"The store {path} has schema version {version}, not {LATEST}. Start this bridge "
                "on it once before."
            )
        yield SqliteEnd(path, connection)


@asynccontextmanager
async def sqlite_target(path: Path) -> AsyncIterator[SqliteEnd]:
    """A file to move into, made if it is not there, that no bridge has."""
    store = SqliteStore(path)
    await store.open()
    await store.close()
    with _held(path, "rw") as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield SqliteEnd(path, connection)


class SqliteEnd:
    """A connection in one transaction, which is undone unless it is told to be kept."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.name = str(path)
        self._path = path
        self._connection = connection

    async def clock(self) -> Instant:
        """Engine time at the last commit."""
        (clock,) = self._connection.execute(statements.READ_CLOCK).fetchone().values()
        return int(clock)

    async def count(self, table: Table) -> int:
        """How many rows a table has."""
        sql = f"SELECT count(*) AS rows FROM {table.name}"  # noqa: S608 - our own tables
        return int(self._connection.execute(sql).fetchone()["rows"])

    async def pages(self, table: Table) -> AsyncIterator[Sequence[Row]]:
        """All rows of a table in its order, PAGE at a time."""
        columns, order = ", ".join(table.columns), ", ".join(table.order)
        sql = f"SELECT {columns} FROM {table.name} ORDER BY {order}"  # noqa: S608 - our own tables
        with _telling_faults(self._path):
            cursor = self._connection.execute(sql)
            while page := cursor.fetchmany(PAGE):
                yield [tuple(row.values()) for row in page]

    async def add(self, table: Table, given: Sequence[Row]) -> None:
        """Adds rows, to be kept or not with all others."""
        columns, marks = ", ".join(table.columns), ", ".join("?" * len(table.columns))
        sql = f"INSERT INTO {table.name} ({columns}) VALUES ({marks})"  # noqa: S608 - our own
        with _telling_faults(self._path):
            self._connection.executemany(sql, given)

    async def keep(self, clock: Instant) -> None:
        """Makes durable what was added."""
        with _telling_faults(self._path):
            self._connection.execute(statements.SET_CLOCK, (clock,))
            self._connection.execute("COMMIT")


def _see_that_it_is_there(path: Path) -> None:
    if not path.is_file():
        raise StoreError(f"There is no store at {path}.")


@contextmanager
def _held(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    with _telling_faults(path), closing(take(beside(path, ".lock"))):
        address = f"{path.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(
            address, timeout=_TIMEOUT_SECONDS, isolation_level=None, uri=True
        )
        connection.row_factory = row_as_dict
        with closing(connection):
            connection.execute("PRAGMA synchronous = FULL")
            yield connection


@contextmanager
def _telling_faults(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise told(error, path) from error
