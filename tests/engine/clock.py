"""A clock that is turned by hand, and rings what was to be done later."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.core.model import SECOND, Duration, Instant

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MIDNIGHT: Instant = 1_767_225_600 * SECOND
"""2026-01-01T00:00:00Z"""
_MILLISECOND: Duration = SECOND // 1000
_FINE: Duration = 20 * _MILLISECOND
"""What the loop of a bridge waits for to the microsecond."""


@dataclass(eq=False)
class RungAlarm:
    at: Duration
    act: Callable[[], None]
    alive: bool = True

    def cancel(self) -> None:
        self.alive = False


class HandClock:
    """Both clocks of a machine.

    Its alarms ring `early` by so much, or with `sluggish` late, as those of a system that ends
    waits in whole milliseconds and up to a thousandth of them too late.
    """

    def __init__(self, settle: Callable[[], Awaitable[None]]) -> None:
        self.early: Duration = 0
        self.sluggish = False
        self._settle = settle
        self._wall: Instant = MIDNIGHT
        self._monotonic: Duration = 0
        self.rung = 0
        self._alarms: list[RungAlarm] = []

    def wall(self) -> Instant:
        return self._wall

    def monotonic(self) -> Duration:
        return self._monotonic

    def call_later(self, delay: Duration, act: Callable[[], None]) -> RungAlarm:
        sooner = delay - self.early if delay > self.early else delay
        if self.sluggish and delay > _FINE:
            sooner = -(-delay // _MILLISECOND) * _MILLISECOND + delay // 1000
        alarm = RungAlarm(self._monotonic + sooner, act)
        self._alarms.append(alarm)
        return alarm

    async def pass_time(self, seconds: float) -> None:
        """Lets time pass, ringing each alarm when it is due; all that it sets off is done."""
        until = self._monotonic + round(seconds * SECOND)
        await self._settle()
        while (alarm := self._next(until)) is not None:
            self._go_to(max(alarm.at, self._monotonic))
            alarm.cancel()
            self.rung += 1
            alarm.act()
            await self._settle()
        self._go_to(until)

    def stand_still_for(self, seconds: float) -> None:
        """The process is stopped or the loop is stuck: time passes and nothing rings."""
        self._go_to(self._monotonic + round(seconds * SECOND))

    def set_wall(self, seconds: float) -> None:
        """Somebody sets the wall clock, forward or back; a sleep of the machine looks the same."""
        self._wall += round(seconds * SECOND)

    def forget_alarms(self) -> None:
        """The process that had set them is dead."""
        self._alarms.clear()

    def _next(self, until: Duration) -> RungAlarm | None:
        self._alarms = [alarm for alarm in self._alarms if alarm.alive]
        due = [alarm for alarm in self._alarms if alarm.at <= until]
        return min(due, key=lambda alarm: alarm.at, default=None)

    def _go_to(self, monotonic: Duration) -> None:
        self._wall += monotonic - self._monotonic
        self._monotonic = monotonic


async def let_tasks_run() -> None:
    """Enough turns of the loop for everything that waits for nothing else."""
    for _ in range(20):
        await asyncio.sleep(0)
