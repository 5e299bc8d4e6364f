"""The engine: the bytes that one armed trigger takes. `... memory FILE`, a store full of triggers.

All that it keeps of it counts, the declared body too.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

from bench.processes import tell
from schedule_bridge.engine import Engine, Settings, SystemClock
from schedule_bridge.store import SqliteStore

if TYPE_CHECKING:
    from schedule_bridge.engine.memory import Memory


async def _measure(file: Path) -> float:
    engine = Engine(SqliteStore(file), Settings(), SystemClock())
    tracemalloc.start()
    await engine.start()
    await asyncio.sleep(0)  # the turn of the loop that has read the store holds what it read
    triggers = _use_all((await engine.house()).memory)
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0]
    await engine.stop()
    return taken / triggers


def _use_all(memory: Memory) -> int:
    """Asks each what its firings ask it, which it reads then and keeps; how many there are."""
    for trigger_id, registration in memory.registrations.items():
        memory.machine.world.triggers[trigger_id].config.policy  # noqa: B018 - see above
        registration.schedule  # noqa: B018 - see above
    return len(memory.registrations)


if __name__ == "__main__":
    tell({"bytes": asyncio.run(_measure(Path(sys.argv[1])))})
