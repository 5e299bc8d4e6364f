"""`schedule-bridge backup`: a copy of the store, taken while a bridge may be using it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import click

from schedule_bridge.cli.failures import FailedError
from schedule_bridge.cli.places import database_option
from schedule_bridge.cli.tables import print_line
from schedule_bridge.store.sqlite_faults import told


@click.command(context_settings={"auto_envvar_prefix": "SCHEDULE_BRIDGE"})
@click.argument("copy", type=click.Path(path_type=Path, dir_okay=False))
@database_option
def backup(database: Path, copy: Path) -> None:
    """Copy the store into a new file, whether a bridge is using it or not.

    COPY is one file that holds all that was committed, readable by its owner only. It is put in
    place of the store while the bridge is stopped. A copy of a damaged store is kept, and said to
    be one.
    """
    if not database.is_file():
        raise FailedError(f"There is no store at {database}. Name it with --database.")
    try:
        # New, so that nothing is overwritten; private before anything is in it.
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise FailedError(f"{copy} cannot be made: {error.strerror}.") from None
    try:
        fault = _copy(database, copy)
    except (sqlite3.Error, OSError) as error:
        copy.unlink()
        raise FailedError(str(told(error, database))) from None
    if fault is not None:
        raise FailedError(
            f"{database} was copied to {copy} as it is, and it is damaged: {fault}. Keep the "
            "backups from before, and see what `schedule-bridge doctor` says."
        )
    print_line(f"{database} was copied to {copy}.")


def _copy(database: Path, copy: Path) -> str | None:
    """Copies page by page, which damage may survive; what is wrong with the copy."""
    address = f"{database.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as store, closing(sqlite3.connect(copy)) as to:
        store.backup(to)
        found: str = to.execute("PRAGMA quick_check(1)").fetchone()[0]
    return None if found == "ok" else found.replace("\n", " ")
