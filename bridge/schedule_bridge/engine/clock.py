"""Engine time: never goes back, and tells a jump from the passing of time (section 7).

Engine time follows the wall clock. When that is set back, engine time goes on at the rate of
the monotonic clock and runs ahead until the wall clock has caught up. When it leaps forward
the leap is reported, so that whatever was waiting can be moved along.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

from schedule_bridge.core.model import SECOND, Duration, Instant

if TYPE_CHECKING:
    from collections.abc import Callable

_NANOSECONDS = 1_000
_STEP: Duration = 2 * SECOND
"""A difference to the monotonic clock beyond this is a step, not drift."""


class Alarm(Protocol):
    """Something that will be done later."""

    def cancel(self) -> None:
        """It will not be done; no matter if it has been."""
        ...


class Clock(Protocol):
    """The two clocks of a machine, in microseconds, and its way to wait."""

    def wall(self) -> Instant:
        """The time of day, UTC; may be set back and forth."""
        ...

    def monotonic(self) -> Duration:
        """Time passed since some moment; never set, stands still while the machine sleeps."""
        ...

    def call_later(self, delay: Duration, act: Callable[[], None]) -> Alarm:
        """Does something once so much time has passed; it may come a little early."""
        ...


class SystemClock:
    """The clocks of this machine."""

    def wall(self) -> Instant:
        """The time of day, UTC."""
        return time.time_ns() // _NANOSECONDS

    def monotonic(self) -> Duration:
        """Time passed since some moment."""
        return time.monotonic_ns() // _NANOSECONDS

    def call_later(self, delay: Duration, act: Callable[[], None]) -> Alarm:
        """Leaves it to the running event loop."""
        return asyncio.get_running_loop().call_later(delay / SECOND, act)


async def sleep(clock: Clock, duration: Duration) -> None:
    """Waits by a clock's own time."""
    rung = asyncio.Event()
    alarm = clock.call_later(duration, rung.set)
    try:
        await rung.wait()
    finally:
        alarm.cancel()


class EngineClock:
    """Engine time over the clocks of a machine."""

    def __init__(self, clock: Clock, not_before: Instant) -> None:
        """Starts at the later of the wall clock and the last commit."""
        self._clock = clock
        wall = clock.wall()
        self._now = max(wall, not_before)
        self._shown = self._now
        self._ahead = self._now - wall
        self._monotonic = clock.monotonic()

    @property
    def ahead(self) -> Duration:
        """How far engine time runs ahead of the wall clock."""
        return self._ahead

    def read_only(self) -> Instant:
        """Engine time as it was last read, plus what has passed since; sees no leap."""
        passed = self._clock.monotonic() - self._monotonic
        self._shown = max(self._shown, self._now + passed)
        return self._shown

    def read(self) -> tuple[Instant, Duration]:
        """Engine time, and by how much it has leapt forward since it was last read."""
        monotonic, wall = self._clock.monotonic(), self._clock.wall()
        expected = self._now + monotonic - self._monotonic
        self._monotonic = monotonic
        leap = self._follow(wall, expected)
        self._ahead = self._now - wall
        return self._now, leap

    def _follow(self, wall: Instant, expected: Instant) -> Duration:
        if wall > expected + _STEP:
            self._now = wall
            return wall - expected
        if wall < expected - _STEP:
            self._now = expected
        else:
            # Drift: engine time waits for a wall clock that is a little behind.
            self._now = max(self._now, self._shown, wall)
        return 0
