"""What a decision costs the store, in counts that no busy machine changes."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.store import SqliteStore
from schedule_bridge.store.sqlite_files import beside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.rig import Rig


@dataclass(slots=True)
class Written:
    """Commits, statements (the schema's own triggers left out) and rows that these changed."""

    commits: int = 0
    statements: int = 0
    rows: int = 0


_LOG_HEADER, _FRAME_HEADER = 32, 24


class Ledger:
    """Listens to the connection that writes."""

    def __init__(self, rig: Rig) -> None:
        store = rig.store.real
        assert isinstance(store, SqliteStore)
        connection = store._write_to
        assert connection is not None
        self._connection = connection
        self._log = beside(store.path, "-wal")

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

    @contextmanager
    def pages(self) -> Iterator[list[int]]:
        """How many pages go to the write-ahead log; told at the end, as the only one of a list."""
        (page,) = self._connection.execute("PRAGMA page_size").fetchone().values()
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        told: list[int] = []
        yield told
        size = self._log.stat().st_size - _LOG_HEADER
        told.append(size // (page + _FRAME_HEADER))
