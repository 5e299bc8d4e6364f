"""APScheduler 3: the bytes that one armed job takes. `python -m bench.peers.aps3_memory JOBS`."""

from __future__ import annotations

import gc
import sys
import tracemalloc

from apscheduler.triggers.interval import IntervalTrigger

from bench.peers.aps3 import ByHand, work
from bench.processes import tell


def main(jobs: int) -> None:
    """Arms so many and says what one took."""
    scheduler = ByHand()
    scheduler.start()
    scheduler.add_job(work, IntervalTrigger(days=1), id="first")
    tracemalloc.start()
    for number in range(jobs):
        scheduler.add_job(work, IntervalTrigger(days=1), id=f"t{number}")
    gc.collect()
    tell({"bytes": tracemalloc.get_traced_memory()[0] / jobs})


if __name__ == "__main__":
    main(int(sys.argv[1]))
