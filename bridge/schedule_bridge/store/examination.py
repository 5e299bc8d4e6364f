"""A look at the file of a store without changing it, whether a bridge is using it or not."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from typing import TYPE_CHECKING, Final

from schedule_bridge.store import rows, statements
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
    Finding,
    note,
    on_time,
    on_version,
    wrong,
)
from schedule_bridge.store.sqlite_faults import told
from schedule_bridge.store.sqlite_files import beside
from schedule_bridge.store.sqlite_lock import is_taken
from schedule_bridge.store.sqlite_schema import LATEST, row_as_dict, version_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from schedule_bridge.core.model import Instant

_BUSY_SECONDS: Final = 5
_REPAIR: Final = "Stop the bridge, keep a copy of the file, and put a backup in its place."


def examine(path: Path, now: Instant) -> Examination:
    """Looks at the store in a file at a time of the wall clock; reads all of it, changes nothing.

    Raises:
        StoreError: there is no such file.
    """
    if not path.is_file():
        raise StoreError(f"There is no store at {path}. Name it with --database.")
    into = Examination(path, sum(file.stat().st_size for file in _files(path)))
    into.findings += private_modes([path.absolute().parent, *_files(path)])
    into.checked.add(MODES)
    try:
        into.bridge_is_running = is_taken(beside(path, ".lock"))
        with closing(_open_to_read(path)) as connection:
            connection.execute("BEGIN")  # one state of the store, whatever is written meanwhile
            into.findings += _look_at(connection, into, now)
    except (sqlite3.Error, OSError) as error:
        into.findings.append(wrong(INTEGRITY, str(told(error, path))))
    return into


def private_modes(paths: Iterable[Path]) -> Iterator[Finding]:
    """Files and folders that others than their owner can get at; on Windows their rights say."""
    for path in paths:
        mode = stat.S_IMODE(path.stat().st_mode)
        if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            wanted = "700" if path.is_dir() else "600"
            said = f"Others can get at {path} (mode {mode:04o})."
            yield wrong(MODES, said, f"Run: chmod {wanted} {path}")


def _files(path: Path) -> list[Path]:
    named = [path, *(beside(path, ending) for ending in ("-wal", "-shm", ".lock"))]
    return [file for file in named if file.exists()]


def _open_to_read(path: Path) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, _BUSY_SECONDS, isolation_level=None, uri=True)
    connection.row_factory = row_as_dict
    return connection


def _look_at(connection: sqlite3.Connection, into: Examination, now: Instant) -> Iterator[Finding]:
    into.schema_version = version_of(connection)
    yield from on_version(into, LATEST)
    damage = list(_damage(connection))
    yield from damage
    into.checked |= {VERSION, INTEGRITY}
    if damage or into.schema_version != LATEST:
        return  # its rows cannot be read as this version means them
    into.rows = {table: _one(connection, f"SELECT count(*) FROM {table}") for table in TABLES}  # noqa: S608
    yield from _unreadable(connection)
    for said in _answers(connection, CONTRADICTIONS):
        yield wrong(ROWS, f"Contradiction: {said}.", CORRECT)
    for said in _answers(connection, NOTES):
        yield note(ROWS, said)
    into.ahead = max(_one(connection, statements.READ_CLOCK, default=0) - now, 0)
    yield from on_time(into, _one(connection, PASSED_TICKS, now))
    into.checked |= {ROWS, CLOCK}


def _damage(connection: sqlite3.Connection) -> Iterator[Finding]:
    for row in connection.execute(f"PRAGMA integrity_check({SHOWN_AT_MOST})"):
        if row["integrity_check"] != "ok":
            yield wrong(INTEGRITY, f"The file is damaged: {row['integrity_check']}", _REPAIR)


def _unreadable(connection: sqlite3.Connection) -> Iterator[Finding]:
    for what, sql, read in _READ_AT_START:
        for row in connection.execute(sql):
            try:
                read(row)
            except rows.UNREADABLE as error:
                name = next(iter(row.values()))
                yield wrong(ROWS, f"The row of {what} {name} cannot be read: {error}.", _REPAIR)


def _answers(connection: sqlite3.Connection, questions: Iterable[str]) -> Iterator[str]:
    for question in questions:
        for row in connection.execute(f"{question} LIMIT {SHOWN_AT_MOST}"):
            (said,) = row.values()
            yield said


def _one(connection: sqlite3.Connection, sql: str, *values: object, default: int = 0) -> int:
    row = connection.execute(sql, values).fetchone()
    return default if row is None else int(next(iter(row.values())))


_READ_AT_START: Final = (
    ("trigger", statements.READ_TRIGGERS, rows.read_trigger),
    ("run", statements.READ_ACTIVE, rows.read_execution),
    ("the firing held for trigger", statements.READ_ALL_HELD, rows.read_firing),
)
