"""The real `schedule-bridge serve`, its store exchanged for one that kills the process.

Fault points live here and not in the package, so that nothing of them can be reached in use.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING
from unittest.mock import patch

from crash.fault_points import FaultyStore
from crash.patience import PATIENCE
from schedule_bridge.cli import main
from schedule_bridge.store import SqliteStore
from schedule_bridge.store.postgres import WholePostgresStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.connection import Connection
    from pathlib import Path

    from crash.fault_points import Aim
    from schedule_bridge.store import Store

_STANDARD_ERROR = 2
_LEASE_SECONDS = 1.0
"""What the next life waits for after a kill."""


def serve(
    log: Connection,
    environment: Mapping[str, str],
    aim: Aim | None,
    report: Path,
    url: str | None,
) -> None:
    """In a process of its own: the command line as a user gives it, logging into `log`.

    With a database in place of the file, one bridge has all of it.
    """
    os.dup2(log.fileno(), _STANDARD_ERROR)
    os.environ.clear()
    os.environ.update(environment)
    store: Callable[[Path], Store] = SqliteStore
    if aim is not None:
        store = partial(FaultyStore, aim=aim, report=report)
    if url is not None:
        store = partial(_in_database, url)
    settings = partial(replace, PATIENCE)
    with (
        patch.object(import_module("schedule_bridge.cli.estates"), "SqliteStore", store),
        patch.object(import_module("schedule_bridge.cli.serve"), "Settings", settings),
    ):
        main(["serve"])


def _in_database(url: str, _: Path) -> Store:
    return WholePostgresStore(url, _LEASE_SECONDS)
