"""The real `schedule-bridge`, its store exchanged for one that kills the process.

Fault points live here and not in the package, so that nothing of them can be reached in use.
"""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

from crash.fault_points import Aim, FaultyStore
from crash.patience import PATIENCE
from schedule_bridge.cli import main

AIM = "CRASH_AIM"
REPORT = "CRASH_REPORT"


def _store() -> type | partial[FaultyStore]:
    module = import_module("schedule_bridge.store")
    if AIM not in os.environ:
        plain: type = module.SqliteStore
        return plain
    aim = Aim.from_text(os.environ[AIM])
    return partial(FaultyStore, aim=aim, report=Path(os.environ[REPORT]))


if __name__ == "__main__":
    with patch.multiple(
        import_module("schedule_bridge.cli.serve"),
        SqliteStore=_store(),
        Settings=lambda: PATIENCE,
    ):
        main()
