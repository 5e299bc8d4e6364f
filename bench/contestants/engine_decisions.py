"""The engine in this process, on its store: how many requests a second are durable.

`python -m bench.contestants.engine_decisions FILE SECONDS skip|run`: firings that are skipped, or
runs with firing, claim and end. So many requests are under way at any time.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bench.processes import tell
from schedule_bridge.core.machine import FireRequest
from schedule_bridge.core.model import ExecutionId, Source, State, TriggerId
from schedule_bridge.engine import Engine, RequestName, Settings, SystemClock
from schedule_bridge.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from schedule_bridge.core.model import Instant
    from schedule_bridge.engine import House

_AT_ONCE = 64
_UNNAMED = RequestName(None, b"")


class _Caller:
    """Asks for one trigger, again as soon as it is answered."""

    def __init__(self, engine: Engine, number: int) -> None:
        self._engine = engine
        self._trigger = TriggerId(f"asked{number}")
        self.decided = 0

    async def declare(self) -> None:
        raw = {"triggerId": self._trigger, "overlapPolicy": "skip"}
        await self._engine.declare(raw)

    async def fire(self) -> ExecutionId:
        def decide(house: House, now: Instant) -> bytes:
            (decision,) = house.fire(FireRequest(self._trigger, now, Source.MANUAL), now)
            return (decision.execution_id or "").encode()

        return ExecutionId(
            (await self._engine.on_trigger(self._trigger, _UNNAMED, decide)).decode()
        )

    async def skip(self) -> None:
        """One firing, which the run that `begin` has left keeps from starting."""
        await self.fire()
        self.decided += 1

    async def run(self) -> None:
        """A firing that starts a run, its claim, and its end."""
        run = await self.fire()
        await self._decide(run, lambda house, now: house.runs.claim(run, now))
        await self._decide(run, lambda house, now: house.runs.finish(run, State.COMPLETED, now))
        self.decided += 3

    async def _decide(self, run: ExecutionId, act: Callable[[House, Instant], object]) -> None:
        def decide(house: House, now: Instant) -> bytes:
            act(house, now)
            return b""

        await self._engine.on_execution(run, _UNNAMED, decide)


async def _measure(file: Path, seconds: float, kind: Literal["skip", "run"]) -> float:
    engine = Engine(SqliteStore(file), Settings(), SystemClock())
    await engine.start()
    callers = [_Caller(engine, number) for number in range(_AT_ONCE)]
    await asyncio.gather(*(caller.declare() for caller in callers))
    if kind == "skip":
        await asyncio.gather(*(caller.fire() for caller in callers))
    began = time.perf_counter()
    until = began + seconds
    steps = [caller.skip if kind == "skip" else caller.run for caller in callers]
    await asyncio.gather(*(_repeat(step, until) for step in steps))
    took = time.perf_counter() - began
    await engine.stop()
    return sum(caller.decided for caller in callers) / took


async def _repeat(step: Callable[[], Awaitable[None]], until: float) -> None:
    while time.perf_counter() < until:
        await step()


def main(file: str, seconds: float, kind: Literal["skip", "run"]) -> None:
    """Says how many were durable in a second, and what one has cost in microseconds."""
    per_second = asyncio.run(_measure(Path(file), seconds, kind))
    tell({"per second": per_second, "cost": 1_000_000 / per_second})


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), "skip" if sys.argv[3] == "skip" else "run")
