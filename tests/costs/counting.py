"""What a decision costs the store, in counts that no busy machine changes."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.rig import Rig


@dataclass(slots=True)
class Written:
    """Commits, statements (the schema's own triggers left out) and rows that these changed."""

    commits: int = 0
    statements: int = 0
    rows: int = 0


class Ledger:
    """Listens to the connection that writes."""

    def __init__(self, rig: Rig) -> None:
        store = rig.store.real
        assert isinstance(store, SqliteStore)
        connection = store._write_to
        assert connection is not None
        self._connection = connection

    @contextmanager
    def counting(self) -> Iterator[Written]:
        written, before = Written(), self._connection.total_changes

        last = ""

        def trace(sql: str) -> None:
            nonlocal last
            written.commits += sql == "COMMIT"
            written.statements += sql != last  # what a trigger does is told as the same again
            last = sql

        self._connection.set_trace_callback(trace)
        try:
            yield written
        finally:
            self._connection.set_trace_callback(None)
            written.rows = self._connection.total_changes - before
