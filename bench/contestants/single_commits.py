"""One row, one commit, on the disk: SQLite with `synchronous=FULL`.

`python -m bench.contestants.single_commits FILE NUMBER`: so many commits, one a second, as a disk
and a processor that have gone to rest take longer.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from statistics import median

from bench.processes import tell

_PACE_SECONDS = 1


def main(file: str, number: int) -> None:
    """Says how long one takes, the median of many, in microseconds."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS rows (number INTEGER PRIMARY KEY, text TEXT)")
    took = []
    for _ in range(number):
        time.sleep(_PACE_SECONDS)
        began = time.perf_counter()
        connection.execute("INSERT INTO rows (text) VALUES (?)", ("x" * 300,))
        took.append(time.perf_counter() - began)
    connection.close()
    tell({"commit": 1_000_000 * median(took)})


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
