"""The lock beside the embedded store: one bridge at a time, and none while its file is rewritten.

It is an SQLite file of its own, since SQLite knows how to lock a file on every system; the system
lets go of it when its holder dies.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from schedule_bridge.store.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

_TIMEOUT_SECONDS = 0.5
"""Long enough for whoever only looks whether the lock is held."""


def take(lock: Path) -> sqlite3.Connection:
    """Takes the lock until the connection is closed; StoreError if a bridge has it."""
    connection = sqlite3.connect(lock, timeout=_TIMEOUT_SECONDS, check_same_thread=False)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise StoreError(
            f"Another bridge is using the store {lock.with_suffix('')}. Stop that one, or give "
            "this one a store of its own with --database."
        ) from None
    return connection


def is_taken(lock: Path) -> bool:
    """Whether a bridge holds the lock; changes nothing."""
    if not lock.exists():
        return False
    with closing(sqlite3.connect(f"{lock.absolute().as_uri()}?mode=ro", 0, uri=True)) as looking:
        try:
            looking.execute("SELECT 1 FROM sqlite_schema")
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return False
