"""What every schedule can answer."""

from dataclasses import dataclass
from datetime import tzinfo
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Missed:
    """Ticks that went by: how many, and the instants of the first and the last."""

    count: int
    first: int
    last: int


class Schedule(Protocol):
    """When ticks come. Instants and durations are microseconds (UTC).

    An object never changes, so triggers and threads may share it.
    """

    @property
    def zone(self) -> tzinfo:
        """The zone in which people read the ticks."""

    def next_after(self, instant: int) -> int | None:
        """The first tick strictly after the instant; None if there is none."""

    def last_at_or_before(self, instant: int) -> int | None:
        """The last tick at or before the instant; None if there is none."""

    def interval_at(self, instant: int) -> int | None:
        """The interval that stands for a run's limit (R20); None without ticks around."""

    def missed_between(self, after: int, until: int) -> Missed | None:
        """The ticks with after < tick <= until, counted exactly; None if there are none."""

    def latest_between(self, after: int, until: int, limit: int) -> list[int]:
        """The latest `limit` ticks with after < tick <= until, oldest first."""
