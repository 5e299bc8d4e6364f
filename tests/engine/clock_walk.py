"""Random walks of the machine's clocks, and the judgement of what the engine made of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from schedule_bridge.core.model import SECOND, TriggerId
from schedule_bridge.store import ExecutionQuery

from .clock import MIDNIGHT

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from random import Random

    from schedule_bridge.core.model import Duration, Execution, Instant

    from .rig import Rig

HOUR = 3600.0
YEAR = 365 * 24 * HOUR
LATE_AT_MOST: Duration = 30 * SECOND
_EVERYTHING = 1_000_000_000

PERIODS = {"seconds": 7, "minute": 60, "hour": 3600, "cron": 600}
"""The nominal grid of each trigger, in seconds; that of the cron trigger begins at midnight."""


def _config(trigger_id: str) -> dict[str, Any]:
    always = {"overlapPolicy": "allow", "maxConcurrent": 1_000_000, "maxRunMinutes": 1}
    if trigger_id == "cron":
        return {**always, "schedule": {"kind": "cron", "expression": "*/10 * * * *"}}
    period = PERIODS[trigger_id]
    anchor = "2026-01-01T00:00:00Z"
    return {**always, "schedule": {"kind": "interval", "every": period, "anchor": anchor}}


@dataclass(slots=True)
class ClockWalk:
    """One walk: what was done, in order, and what engine time was after each step."""

    rig: Rig
    chance: Random
    done: list[str] = field(default_factory=list)
    seen: list[Instant] = field(default_factory=list)

    async def go(self, steps: int) -> None:
        for trigger_id in PERIODS:
            await self.rig.set(trigger_id, **_config(trigger_id))
        for _ in range(steps):
            await self._step()
            self.seen.append(self.rig.engine.now())
        await self.rig.pass_time(60)  # whatever happened is noticed by then

    async def _step(self) -> None:
        step = self.chance.choices(_STEPS, _WEIGHTS)[0]
        await step(self)

    async def _pass(self) -> None:
        seconds = self.chance.choice((0.001, 1, 7, 30, 31, 65, 600))
        await self._do(f"pass_time({seconds})", self.rig.pass_time(seconds))

    async def _set(self) -> None:
        most = self.chance.choice((1, 3, 29, 31, HOUR, 24 * HOUR, YEAR))
        seconds = self.chance.uniform(-most, most)
        self.done.append(f"set_wall({seconds})")
        self.rig.clock.set_wall(seconds)

    async def _leap_years(self) -> None:
        seconds = self.chance.choice((-30, 30)) * YEAR
        self.done.append(f"set_wall({seconds})")
        self.rig.clock.set_wall(seconds)

    async def _stop(self) -> None:
        seconds = self.chance.choice((0.5, 6, 29, 31, 200, 5 * HOUR))
        self.done.append(f"stand_still_for({seconds})")
        self.rig.clock.stand_still_for(seconds)

    async def _wake_early(self) -> None:
        self.rig.clock.early = self.chance.choice((0, 1, 500, 20_000))
        self.done.append(f"early = {self.rig.clock.early}")

    async def _restart(self) -> None:
        seconds = self.chance.choice((0, 1, 45, 2 * HOUR))
        await self._do(f"restart({seconds})", self.rig.restart(down=seconds))

    async def _do(self, what: str, doing: Coroutine[Any, Any, None]) -> None:
        self.done.append(what)
        await doing

    # the judgement

    async def judge(self) -> int:
        """AssertionError if a tick was lost, doubled, early or in a burst; else how many ticks."""
        assert all(before <= after for before, after in pairwise(self.seen)), self.seen
        executions = await self.rig.store.executions(ExecutionQuery(limit=_EVERYTHING))
        ticks = 0
        for trigger_id in PERIODS:
            own = [each for each in executions if each.trigger_id == trigger_id]
            _judge_starts(own)
            ticks += await self._judge_ticks(trigger_id, own)
        return ticks

    async def _judge_ticks(self, trigger_id: str, executions: list[Execution]) -> int:
        """Firings and missed stretches together are the grid, each point of it once."""
        period = PERIODS[trigger_id] * SECOND
        name = TriggerId(trigger_id)
        missed = (await self.rig.store.pasts([name], runs=0, missed=_EVERYTHING))[name].missed
        parts = [(each.first_tick, each.last_tick, each.ticks) for each in missed]
        parts += [(each.scheduled_at, each.scheduled_at, 1) for each in executions]
        expected = MIDNIGHT + period
        for first, last, count in sorted(parts):
            assert (first, count) == (expected, (last - first) // period + 1), trigger_id
            expected = last + period
        assert expected - period <= self.rig.engine.now() < expected, trigger_id
        return (expected - MIDNIGHT) // period - 1


def _judge_starts(executions: list[Execution]) -> None:
    at_once = Counter(each.created_at for each in executions)
    assert max(at_once.values(), default=1) == 1, "a burst"
    for each in executions:
        assert 0 <= each.created_at - each.scheduled_at <= LATE_AT_MOST


_STEPS = (
    ClockWalk._pass,
    ClockWalk._set,
    ClockWalk._leap_years,
    ClockWalk._stop,
    ClockWalk._wake_early,
    ClockWalk._restart,
)
_WEIGHTS = (12, 6, 1, 3, 2, 2)
