"""A process that commits one batch under an aim: `python -m crash.one_commit FILE AIM REPORT`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from crash.fault_points import Aim, FaultyStore
from store.samples import decision, decisions


async def main(database: Path, aim: Aim, report: Path) -> None:
    """Two decisions, so that there are statements to come between; then it waits for its end."""
    store = FaultyStore(database, aim, report)
    await store.open()
    await store.append(decisions(decision("f1"), decision("f2")))
    await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Aim.from_text(sys.argv[2]), Path(sys.argv[3])))
