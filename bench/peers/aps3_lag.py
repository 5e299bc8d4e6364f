"""APScheduler 3 on SQLite in WAL mode: how late the runs of many jobs start that are due together.

`python -m bench.peers.aps3_lag JOBS SPREAD_SECONDS FILE`.
"""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime

from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bench.lags import lag_figures
from bench.peers.aps3 import sqlite_engine
from bench.processes import tell

_LEAD_SECONDS = 16
_LONGEST_SECONDS = 120
_late: list[float] = []


def work(due: float) -> None:
    """A run: notes how late it is."""
    _late.append(time.time() - due)


def main(jobs: int, spread: float, file: str) -> None:
    """Lets all of them come due, and says how late they were."""
    first = time.time() + _LEAD_SECONDS
    store = SQLAlchemyJobStore(engine=sqlite_engine(file, "OFF"))  # else adding takes too long
    scheduler = BackgroundScheduler(jobstores={"default": store}, timezone=UTC)
    scheduler.start(paused=True)
    for number in range(jobs):
        _add(scheduler, f"t{number}", first + spread * number / jobs)
    if time.time() > first:
        raise RuntimeError("The machine is too busy: the jobs were due before all were added.")
    store.engine = sqlite_engine(file, "FULL")
    scheduler.resume()
    _await(jobs)
    scheduler.shutdown(wait=False)
    tell(lag_figures(_late))


def _add(scheduler: BackgroundScheduler, job_id: str, due: float) -> None:
    trigger = IntervalTrigger(days=1, start_date=datetime.fromtimestamp(due, UTC), timezone=UTC)
    scheduler.add_job(work, trigger, id=job_id, args=[due], misfire_grace_time=None)


def _await(jobs: int) -> None:
    deadline = time.monotonic() + _LONGEST_SECONDS
    while len(_late) < jobs:
        if time.monotonic() > deadline:
            raise RuntimeError(f"Only {len(_late)} of {jobs} have run.")
        time.sleep(0.1)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3])
