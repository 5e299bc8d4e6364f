"""The engine's start on a full store, until it decides. `... start FILE`."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from bench.processes import tell
from schedule_bridge.engine import Engine, Settings, SystemClock
from schedule_bridge.store import SqliteStore


async def _measure(file: Path) -> float:
    began = time.perf_counter()
    engine = Engine(SqliteStore(file), Settings(), SystemClock())
    await engine.start()
    took = time.perf_counter() - began
    await engine.stop()
    return took


if __name__ == "__main__":
    tell({"milliseconds": 1000 * asyncio.run(_measure(Path(sys.argv[1])))})
