"""The real `schedule-bridge`, its store exchanged for one that kills the process.

Fault points live here and not in the package, so that nothing of them can be reached in use.
"""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from crash.fault_points import Aim, FaultyStore
from crash.patience import PATIENCE
from schedule_bridge.cli import main
from schedule_bridge.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable

AIM = "CRASH_AIM"
REPORT = "CRASH_REPORT"


def _store() -> Callable[[Path], SqliteStore]:
    aim = os.environ.get(AIM)
    if aim is None:
        return SqliteStore
    return partial(FaultyStore, aim=Aim.from_text(aim), report=Path(os.environ[REPORT]))


if __name__ == "__main__":
    with patch.multiple(
        import_module("schedule_bridge.cli.serve"),
        SqliteStore=_store(),
        Settings=lambda: PATIENCE,
    ):
        main()
