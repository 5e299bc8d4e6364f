"""Ticks on the grid `anchor + k * every` (R23)."""

from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import ClassVar

from schedule_bridge.schedule.model import Missed


@dataclass(frozen=True, slots=True)
class IntervalSchedule:
    """A tick at every point of a grid that reaches both ways without end.

    Attributes:
        anchor: an instant on the grid.
        every: the period, in microseconds.
    """

    zone: ClassVar[tzinfo] = UTC

    anchor: int
    every: int

    def next_after(self, instant: int) -> int:
        """The next point of the grid strictly after the instant."""
        return self.last_at_or_before(instant) + self.every

    def last_at_or_before(self, instant: int) -> int:
        """The latest point of the grid at or before the instant."""
        return instant - (instant - self.anchor) % self.every

    def interval_at(self, instant: int) -> int:  # noqa: ARG002 - the protocol's signature
        """The period (R20)."""
        return self.every

    def missed_between(self, after: int, until: int) -> Missed | None:
        """The points with after < point <= until."""
        first, last = self.next_after(after), self.last_at_or_before(until)
        if first > last:
            return None
        return Missed((last - first) // self.every + 1, first, last)

    def latest_between(self, after: int, until: int, limit: int) -> list[int]:
        """The latest `limit` points with after < point <= until, oldest first."""
        last = self.last_at_or_before(until)
        first = max(self.next_after(after), last - (limit - 1) * self.every)
        return list(range(first, last + 1, self.every))
