"""Where the bridge of an episode keeps its record: in a file, or in a PostgreSQL database."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from crash.history import wall
from crash.record import read
from databases.server import in_a_thread, new_database
from schedule_bridge.store.examination import examine
from schedule_bridge.store.findings import INTEGRITY
from schedule_bridge.store.moving import move
from schedule_bridge.store.moving.sqlite_end import sqlite_target
from schedule_bridge.store.postgres.end import postgres_source
from schedule_bridge.store.postgres.examination import examine_database

if TYPE_CHECKING:
    from pathlib import Path

    from crash.record import Record


class Keeping(Protocol):
    """One place for all lives of a bridge."""

    @property
    def url(self) -> str | None:
        """The address of the database, None for a file."""
        ...

    def faults(self) -> list[str]:
        """What `schedule-bridge doctor` finds wrong; what was never made is sound."""
        ...

    async def read_into(self, record: Record) -> None:
        """All that is kept, after the bridge has let go of it."""
        ...


class InFile:
    """The embedded store."""

    url = None

    def __init__(self, folder: Path) -> None:
        self._file = folder / "bridge.db"

    def faults(self) -> list[str]:
        """What is wrong with the file."""
        if not self._file.exists():
            return []
        return [f"{each}" for each in examine(self._file, wall()).findings if each.is_wrong]

    async def read_into(self, record: Record) -> None:
        """From the file itself."""
        read(record, self._file)


class InDatabase:
    """A database of a server of this process."""

    def __init__(self, folder: Path) -> None:
        self.url = new_database()
        self._copy = folder / "moved.db"

    def faults(self) -> list[str]:
        """What is wrong, but for what servers of tests have switched off."""
        found = in_a_thread(examine_database(self.url, wall())).findings
        return [f"{each}" for each in found if each.is_wrong and each.check != INTEGRITY]

    async def read_into(self, record: Record) -> None:
        """From the file that `schedule-bridge move` makes of it."""
        async with postgres_source(self.url) as source, sqlite_target(self._copy) as target:
            await move(source, target, lambda *_: None)
        await asyncio.to_thread(read, record, self._copy)
