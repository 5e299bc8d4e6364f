"""A store that kills its process at a chosen boundary of a chosen commit."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from dataclasses import asdict, dataclass
from enum import StrEnum
from signal import SIGKILL
from typing import TYPE_CHECKING, NoReturn

from crash.traits import traits_of
from schedule_bridge.store import SqliteStore

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from schedule_bridge.store import Batch


class Boundary(StrEnum):
    """Where a bridge can be killed."""

    OPENING = "while the store is opened and read"
    BEFORE = "before the transaction"
    BETWEEN = "between two statements"
    BEFORE_COMMIT = "before COMMIT"
    DURING_COMMIT = "during COMMIT"
    COMMITTED = "after COMMIT, before any answer"
    ANSWERING = "while it is answered"
    ANYWHERE = "at a random moment"


@dataclass(slots=True, frozen=True)
class Aim:
    """The `skip`-th next commit that holds `trait` is where the process ends.

    `draw` chooses among statements, `delay` is how many microseconds later it is killed, where
    the boundary leaves that open.
    """

    boundary: Boundary
    trait: str
    skip: int
    draw: int
    delay: int

    def as_text(self) -> str:
        """For the environment of the process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Aim:
        """What `as_text` made."""
        values = json.loads(text)
        return cls(**{**values, "boundary": Boundary(values["boundary"])})


class FaultyStore(SqliteStore):
    """SQLite with one fault point. What was hit is written to `report` before the end."""

    def __init__(self, path: Path, aim: Aim, report: Path) -> None:
        super().__init__(path)
        self._aim = aim
        self._report = os.open(report, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._matching = 0
        self._traits: list[str] = []
        self._hit: Boundary | None = Boundary.OPENING if self._aims_at(Boundary.OPENING) else None
        self._countdown = aim.draw % 40

    async def append(self, batch: Batch) -> None:
        self._take_aim(batch)
        await super().append(batch)
        if self._hit is Boundary.ANSWERING:
            asyncio.get_running_loop().call_later(self._aim.delay / 1_000_000, self._die)

    def _take_aim(self, batch: Batch) -> None:
        self._hit = self._aim.boundary if self._is_meant(batch) else None
        if self._hit is not None:
            self._traits = sorted(traits_of(batch))
            self._countdown = 1 + self._aim.draw % (batch.rows + 1)  # BEGIN is a statement too
        if self._hit is Boundary.BEFORE:
            self._die()

    # few rows are written on the loop, and a thread commits; many on the thread

    def _commit(self) -> None:
        super()._commit()
        self._committed()

    def _append(self, batch: Batch) -> None:
        super()._append(batch)
        self._committed()

    def _committed(self) -> None:
        if self._hit is Boundary.COMMITTED:
            self._die()

    def _connect(self) -> sqlite3.Connection:
        connection = super()._connect()
        connection.set_trace_callback(self._before_statement)
        return connection

    def _before_statement(self, statement: str) -> None:
        if self._hit is None or threading.current_thread().name.startswith("store-read"):
            return
        if statement == "COMMIT":
            self._before_commit()
        elif self._hit in (Boundary.OPENING, Boundary.BETWEEN):
            if self._countdown == 0:
                self._die()
            self._countdown -= 1

    def _before_commit(self) -> None:
        if self._hit is Boundary.BEFORE_COMMIT:
            self._die()
        if self._hit is Boundary.DURING_COMMIT:
            threading.Thread(target=self._die_soon).start()

    def _is_meant(self, batch: Batch) -> bool:
        if self._aims_at(Boundary.OPENING) or self._aim.trait not in traits_of(batch):
            return False
        self._matching += 1
        return self._matching == self._aim.skip + 1

    def _aims_at(self, boundary: Boundary) -> bool:
        return self._aim.boundary is boundary

    def _die_soon(self) -> None:
        time.sleep(self._aim.delay / 1_000_000)
        self._die()

    def _die(self) -> NoReturn:
        hit = {"boundary": self._aim.boundary, "traits": self._traits}
        os.write(self._report, json.dumps(hit).encode() + b"\n")
        os.kill(os.getpid(), SIGKILL)
        raise AssertionError("killed")
