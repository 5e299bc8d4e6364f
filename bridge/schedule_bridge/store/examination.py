"""A look at the file of a store without changing it, whether a bridge is using it or not."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from schedule_bridge.core.sentences import duration
from schedule_bridge.store import rows, statements
from schedule_bridge.store.contradictions import CONTRADICTIONS, NOTES, PASSED_TICKS
from schedule_bridge.store.errors import StoreError
from schedule_bridge.store.sqlite_faults import told
from schedule_bridge.store.sqlite_files import beside
from schedule_bridge.store.sqlite_lock import is_taken
from schedule_bridge.store.sqlite_schema import LATEST, row_as_dict, version_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from schedule_bridge.core.model import Duration, Instant

_SHOWN_AT_MOST: Final = 20
_BUSY_SECONDS: Final = 5
_CLOCK_STEP: Duration = 2 * 1_000_000
"""A difference between engine time and the wall clock below this is not worth a word."""
_REPAIR: Final = "Stop the bridge, keep a copy of the file, and put a backup in its place."
_CORRECT: Final = "No bridge writes this. Put a backup in place, or end the runs that are named."
_TABLES: Final = ("triggers", "executions", "decisions", "missed_stretches", "idempotency_keys")


MODES, VERSION, INTEGRITY, ROWS, CLOCK = "modes", "version", "integrity", "rows", "clock"
CHECKS: Final = (MODES, VERSION, INTEGRITY, ROWS, CLOCK)
"""What is looked at, in order."""


@dataclass(slots=True, frozen=True)
class Finding:
    """What was found in looking at one thing, and what to do; what is not wrong is a note."""

    check: str
    is_wrong: bool
    message: str
    remedy: str = ""


def _wrong(check: str, message: str, remedy: str = "") -> Finding:
    return Finding(check, is_wrong=True, message=message, remedy=remedy)


def _note(check: str, message: str) -> Finding:
    return Finding(check, is_wrong=False, message=message)


@dataclass(slots=True)
class Examination:
    """How a store stands; what could not be looked at is None or empty.

    `ahead` is how far engine time ran ahead of the wall clock at the last commit.
    """

    path: Path
    bytes_on_disk: int
    bridge_is_running: bool = False
    schema_version: int | None = None
    ahead: Duration | None = None
    rows: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    checked: set[str] = field(default_factory=set)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not any(finding.is_wrong for finding in self.findings)


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
        into.findings.append(_wrong(INTEGRITY, str(told(error, path))))
    return into


def private_modes(paths: Iterable[Path]) -> Iterator[Finding]:
    """Files and folders that others than their owner can get at; on Windows their rights say."""
    for path in paths:
        mode = stat.S_IMODE(path.stat().st_mode)
        if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            wanted = "700" if path.is_dir() else "600"
            said = f"Others can get at {path} (mode {mode:04o})."
            yield _wrong(MODES, said, f"Run: chmod {wanted} {path}")


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
    yield from _version(into)
    damage = list(_damage(connection))
    yield from damage
    into.checked |= {VERSION, INTEGRITY}
    if damage or into.schema_version != LATEST:
        return  # its rows cannot be read as this version means them
    into.rows = {table: _one(connection, f"SELECT count(*) FROM {table}") for table in _TABLES}  # noqa: S608
    yield from _unreadable(connection)
    for said in _answers(connection, CONTRADICTIONS):
        yield _wrong(ROWS, f"Contradiction: {said}.", _CORRECT)
    for said in _answers(connection, NOTES):
        yield _note(ROWS, said)
    into.ahead = max(_one(connection, statements.READ_CLOCK, default=0) - now, 0)
    yield from _time(connection, into, now)
    into.checked |= {ROWS, CLOCK}


def _version(into: Examination) -> Iterator[Finding]:
    version = into.schema_version or 0
    if version > LATEST:
        yield _wrong(
            VERSION,
            f"The store has schema version {version}, this bridge knows up to {LATEST}.",
            "Install the version of the bridge that wrote it, or a later one.",
        )
    elif version < LATEST:
        yield _note(
            VERSION,
            f"The store has schema version {version}; the next start of this bridge makes it "
            f"{LATEST}, and its rows can be looked at then.",
        )


def _damage(connection: sqlite3.Connection) -> Iterator[Finding]:
    for row in connection.execute(f"PRAGMA integrity_check({_SHOWN_AT_MOST})"):
        if row["integrity_check"] != "ok":
            yield _wrong(INTEGRITY, f"The file is damaged: {row['integrity_check']}", _REPAIR)


def _unreadable(connection: sqlite3.Connection) -> Iterator[Finding]:
    for what, sql, read in _READ_AT_START:
        for row in connection.execute(sql):
            try:
                read(row)
            except rows.UNREADABLE as error:
                name = next(iter(row.values()))
                yield _wrong(ROWS, f"The row of {what} {name} cannot be read: {error}.", _REPAIR)


def _time(connection: sqlite3.Connection, into: Examination, now: Instant) -> Iterator[Finding]:
    if into.ahead is not None and into.ahead > _CLOCK_STEP:
        yield _wrong(
            CLOCK,
            f"Engine time runs {duration(into.ahead)} ahead of the clock of this machine, so "
            "schedules wait for that long.",
            "If the clock is right now, stop the bridge and run: schedule-bridge doctor --clock",
        )
    passed = _one(connection, PASSED_TICKS, now)
    if passed and not into.bridge_is_running:
        yield _note(
            CLOCK,
            f"Ticks of {passed} triggers have passed while no bridge is running. The next start "
            "keeps them as missed, and catches up as the triggers say.",
        )


def _answers(connection: sqlite3.Connection, questions: Iterable[str]) -> Iterator[str]:
    for question in questions:
        for row in connection.execute(f"{question} LIMIT {_SHOWN_AT_MOST}"):
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
