"""The schema of the embedded store: numbered files, applied in order, one commit each."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from schedule_bridge.store.errors import NewerStoreError

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

_MIGRATION: Final = "BEGIN IMMEDIATE;\n{}\nPRAGMA user_version = {};\nCOMMIT;"


def _read_migrations() -> list[str]:
    folder = resources.files("schedule_bridge.store") / "sql" / "sqlite"
    scripts = sorted((file.name, file.read_text()) for file in folder.iterdir())
    return [script for _, script in scripts]


MIGRATIONS: Final = _read_migrations()
LATEST: Final = len(MIGRATIONS)
"""The version that this bridge reads and writes."""


def migrate(connection: sqlite3.Connection, path: Path, migrations: list[str]) -> int:
    """Brings the schema up to date; its version after that.

    Raises:
        NewerStoreError: a later version of the bridge has written the store.
    """
    version = version_of(connection)
    if version > len(migrations):
        raise NewerStoreError(path, version, len(migrations))
    for number in range(version + 1, len(migrations) + 1):
        connection.executescript(_MIGRATION.format(migrations[number - 1], number))
    return len(migrations)


def version_of(connection: sqlite3.Connection) -> int:
    """The number of the schema's version; 0 is a new file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()["user_version"]
    return version


def row_as_dict(cursor: sqlite3.Cursor, row: tuple[object, ...]) -> dict[str, Any]:
    """The row factory of every connection to a store."""
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}
