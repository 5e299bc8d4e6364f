"""The engine: the bytes that one armed trigger takes. `... memory FILE`, a store full of triggers.

All that it keeps of it counts, the declared body too.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tracemalloc
from pathlib import Path

from bench.processes import tell
from schedule_bridge.engine import Engine, Settings, SystemClock
from schedule_bridge.store import SqliteStore


async def _measure(file: Path) -> float:
    engine = Engine(SqliteStore(file), Settings(), SystemClock())
    tracemalloc.start()
    await engine.start()
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0]
    triggers = len((await engine.house()).memory.registrations)
    await engine.stop()
    return taken / triggers


if __name__ == "__main__":
    tell({"bytes": asyncio.run(_measure(Path(sys.argv[1])))})
