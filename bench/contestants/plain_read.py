"""What is live in a store, read into Python's tuples by plain sqlite3. `... plain_read FILE`."""

from __future__ import annotations

import sqlite3
import sys
import time

from bench.processes import tell

_LIVE = (
    "SELECT * FROM triggers",
    "SELECT * FROM executions WHERE ended_at IS NULL",
    "SELECT * FROM held_firings",
    "SELECT * FROM jobs",
    "SELECT * FROM workspaces",
    "SELECT * FROM idempotency_keys",
    "SELECT * FROM settings",
)


def main(file: str) -> None:
    """Says how long that takes, all of it kept."""
    began = time.perf_counter()
    connection = sqlite3.connect(file)
    kept = [connection.execute(sql).fetchall() for sql in _LIVE]
    took = time.perf_counter() - began
    connection.close()
    tell({"milliseconds": 1000 * took, "rows": sum(map(len, kept))})


if __name__ == "__main__":
    main(sys.argv[1])
