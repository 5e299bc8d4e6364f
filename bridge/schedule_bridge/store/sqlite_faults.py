"""What SQLite and the system say of a fault, as a sentence: what, where, what to do."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

from schedule_bridge.store.errors import DamagedStoreError, StoreError

if TYPE_CHECKING:
    from pathlib import Path

_PRIMARY: Final = 0xFF
"""The part of SQLite's extended result codes that names the kind."""

_SENTENCES: Final = {
    sqlite3.SQLITE_FULL: (
        "There is no room for the store {path}: the disk is full. Make room on it; a bridge that "
        "runs goes on by itself."
    ),
    sqlite3.SQLITE_READONLY: (
        "The store {path} cannot be written: it is read-only. Let this user write the file and "
        "its folder."
    ),
    sqlite3.SQLITE_BUSY: (
        "The store {path} is locked by another program. End whatever has it open; a bridge that "
        "runs goes on by itself."
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "The store {path} cannot be opened. Let this user read and write the file and its folder, "
        "and see that there is room on the disk."
    ),
    sqlite3.SQLITE_IOERR: (
        "The system cannot read or write the store {path} ({error}). Look at the disk and its "
        "quota, and at the system's log; a bridge that runs goes on by itself."
    ),
}
_ALIKE: Final = {
    sqlite3.SQLITE_PERM: sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_LOCKED: sqlite3.SQLITE_BUSY,
}
_NO_STORE: Final = (
    "{path} is no store of the bridge: {error}. Name another file with --database, or move this "
    "one away."
)
_DAMAGED: Final = (
    "The store {path} is damaged: {error}. Stop the bridge, keep a copy of the file, see what "
    "`schedule-bridge doctor` says, and put a backup in its place."
)


def told(error: sqlite3.Error | OSError, path: Path) -> StoreError:
    """The error of the store at `path` that SQLite or the system made."""
    if isinstance(error, sqlite3.Error):
        return _told_by_sqlite(error, path)
    return StoreError(
        f"The store {path} cannot be used: {error.strerror} ({error.filename or path}). Let this "
        "user read and write the file and its folder."
    )


def damaged(path: Path, what: str) -> DamagedStoreError:
    """The store at `path` holds something that cannot be read."""
    return DamagedStoreError(_DAMAGED.format(path=path, error=what))


def primary_code(error: sqlite3.Error) -> int:
    """The kind of a fault, as SQLite's result codes name it."""
    # Faults that Python's own module finds carry no code.
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & _PRIMARY


def _told_by_sqlite(error: sqlite3.Error, path: Path) -> StoreError:
    code = primary_code(error)
    if code == sqlite3.SQLITE_CORRUPT:
        return damaged(path, str(error))
    if code == sqlite3.SQLITE_NOTADB:
        return DamagedStoreError(_NO_STORE.format(path=path, error=error))
    sentence = _SENTENCES.get(_ALIKE.get(code, code), "The store {path} failed: {error}.")
    return StoreError(sentence.format(path=path, error=error))
