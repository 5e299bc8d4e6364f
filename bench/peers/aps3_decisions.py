"""APScheduler 3: how many firings a second it skips because `max_instances` is reached.

`python -m bench.peers.aps3_decisions SECONDS JOBS [FILE]`: in memory, or on SQLite.
"""

from __future__ import annotations

import sys
import time
from datetime import UTC

from apscheduler.triggers.interval import IntervalTrigger

from bench.peers.aps3 import SECOND, Busy, ByHand, HandClock, sqlite_store, work
from bench.processes import tell


def main(seconds: float, jobs: int, file: str | None = None) -> None:
    """Decides for so long and says how many decisions there were in a second."""
    clock = HandClock()
    scheduler = ByHand(executors={"default": Busy()}, timezone=UTC)
    if file is not None:
        scheduler.add_jobstore(sqlite_store(file))
    scheduler.start()
    for number in range(jobs):
        every_second = IntervalTrigger(seconds=1, start_date=clock.time, timezone=UTC)
        scheduler.add_job(work, every_second, id=f"t{number}", max_instances=1)
    scheduler.decide_all()  # the first run of each goes on for ever
    decided, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        clock.time += SECOND
        scheduler.decide_all()
        decided += jobs
    tell({"per second": decided / (time.perf_counter() - began)})


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
