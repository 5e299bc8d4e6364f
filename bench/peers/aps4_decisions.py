"""APScheduler 4 in memory: how many schedules a second become runs under `max_running_jobs`.

`python -m bench.peers.aps4_decisions SCHEDULES`. It skips nothing; what is over the limit waits.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from datetime import UTC, datetime

from apscheduler import AsyncScheduler
from apscheduler.triggers.date import DateTrigger

from bench.processes import tell

logging.getLogger("apscheduler").setLevel(logging.ERROR)


async def _measure(schedules: int) -> float:
    """Seconds from the start until every schedule has had its run."""
    missing, all_ran = schedules, asyncio.Event()

    async def work() -> None:
        nonlocal missing
        missing -= 1
        if not missing:
            all_ran.set()

    async with AsyncScheduler() as scheduler:
        due = datetime.now(UTC)
        for number in range(schedules):
            await scheduler.configure_task(f"t{number}", func=work, max_running_jobs=1)
            await scheduler.add_schedule(f"t{number}", DateTrigger(due), id=f"t{number}")
        began = time.perf_counter()
        await scheduler.start_in_background()
        await all_ran.wait()
        took = time.perf_counter() - began
        await scheduler.stop()
    return took


def main(schedules: int) -> None:
    """Says how many were decided in a second."""
    tell({"per second": schedules / asyncio.run(_measure(schedules))})


if __name__ == "__main__":
    main(int(sys.argv[1]))
