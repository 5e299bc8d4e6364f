"""What can happen to the file of a store, done to a real one.

None of it needs rights that a test may lack: a file cannot grow by the process's own limit, is
read-only by its mode, and is locked by another process.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sqlite3
import sys
from contextlib import closing, contextmanager
from subprocess import PIPE, Popen
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE = 1

_HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA busy_timeout = 5000")
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


def mind_file_modes() -> None:
    """To be done in a new process: file modes count for it, even if it is root's."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, _CAP_DAC_OVERRIDE, 0, 0, 0)


def let_no_file_grow() -> None:
    """To be done in a new process: whatever it writes to a file fails, as on a full disk."""
    _set_soft_limit(0, 0)


@contextmanager
def full_disk(pid: int) -> Iterator[None]:
    """No file of a running process grows for a while."""
    before, _ = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    _set_soft_limit(pid, 0)
    try:
        yield
    finally:
        _set_soft_limit(pid, before)


def _set_soft_limit(pid: int, size: int) -> None:
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Another program has begun to write to the database and does not end."""
    with Popen(
        [sys.executable, "-c", _HOLD, str(database)], stdin=PIPE, stdout=PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            yield
        finally:
            holder.communicate()


def fold_in_the_log(database: Path) -> None:
    """Brings all that is in the write-ahead log into the file."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def damage_page_of(database: Path, table: str) -> None:
    """Overwrites the middle of the first page of a table."""
    with closing(sqlite3.connect(database)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        wanted = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = connection.execute(wanted, (table,)).fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * (size // 2))


def cut_in_half(database: Path) -> None:
    with database.open("r+b") as file:
        file.truncate(database.stat().st_size // 2)


def set_version(database: Path, version: int) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")


def log_of(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")
