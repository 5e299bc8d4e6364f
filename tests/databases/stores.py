"""Stores over a folder, whichever kind: a file in it, or a database that goes by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from databases.server import emptied, new_database
from schedule_bridge.store import SqliteStore
from schedule_bridge.store.postgres import WholePostgresStore

if TYPE_CHECKING:
    from pathlib import Path

    from schedule_bridge.store import Store

_databases: dict[Path, str] = {}


def sqlite_in(folder: Path) -> Store:
    return SqliteStore(folder / "bridge.db")


def postgresql_in(folder: Path) -> Store:
    """One database a folder; that of a folder which is gone serves again."""
    if folder not in _databases:
        left = next((other for other in _databases if not other.exists()), None)
        _databases[folder] = emptied(_databases.pop(left)) if left else new_database()
    return WholePostgresStore(_databases[folder])


EVERY_KIND = [
    pytest.param(sqlite_in, id="sqlite"),
    pytest.param(postgresql_in, id="postgresql"),
]
