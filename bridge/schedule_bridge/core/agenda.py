"""What is due, and in which order (R18): one heap for every timer.

A timer that is no longer wanted is marked dead and swept out when the dead outnumber the
living, so that arming and disarming cost next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from heapq import heapify, heappop, heappush
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from schedule_bridge.core.model import Duration, Instant

_SWEEP_FROM = 1024

Order: TypeAlias = "int | str | tuple[int, ...]"
"""What decides among equals of one rank; of one kind within a rank."""


class Rank(IntEnum):
    """The order in which things due at one instant are handled (R18, simulate.md)."""

    RUN_END = 0
    EXPIRY = 1
    DELAY = 2
    TICK = 3
    REQUEST = 4


@dataclass(slots=True, eq=False)
class Timer:
    """Something that is due at an instant; `order` decides among equals of one rank."""

    instant: Instant
    rank: Rank
    order: Order
    target: object
    alive: bool = True


class Agenda:
    """All timers of a machine and of whoever drives it."""

    __slots__ = ("_heap", "_serial", "_sweep_at")

    def __init__(self) -> None:
        self._heap: list[tuple[Instant, Rank, Order, int, Timer]] = []
        self._serial = 0
        self._sweep_at = _SWEEP_FROM

    def add(self, instant: Instant, rank: Rank, order: Order, target: object) -> Timer:
        """Arms a timer and returns it; `timer.alive = False` disarms it."""
        if len(self._heap) >= self._sweep_at:
            self._sweep()
        timer = Timer(instant, rank, order, target)
        self._serial += 1
        heappush(self._heap, (instant, rank, order, self._serial, timer))
        return timer

    def add_all(self, timers: Iterable[Timer]) -> None:
        """Arms many timers, in less time than one by one."""
        for timer in timers:
            self._serial += 1
            self._heap.append((timer.instant, timer.rank, timer.order, self._serial, timer))
        self._sweep()

    def next_instant(self) -> Instant | None:
        """When the next living timer is due, or None."""
        heap = self._heap
        while heap and not heap[0][4].alive:
            heappop(heap)
        return heap[0][0] if heap else None

    def pop(self, until: Instant) -> Timer | None:
        """Takes the first living timer that is due at or before `until`, or None."""
        instant = self.next_instant()
        if instant is None or instant > until:
            return None
        timer = heappop(self._heap)[4]
        timer.alive = False
        return timer

    def pop_all(self, now: Instant) -> Iterator[Timer]:
        """Takes whatever is due at or before now, as things due at one instant (R18).

        Some of it may be late: a deadline that has passed goes before a tick that is older, since
        a run beyond its deadline is in nobody's way (R21). What an earlier one disarms is left out.
        """
        while due := self._take(now):
            for timer in due:
                if timer.alive:
                    timer.alive = False
                    yield timer

    def _take(self, now: Instant) -> list[Timer]:
        heap = self._heap
        taken = []
        while heap and heap[0][0] <= now:
            taken.append(heappop(heap))
        if taken and taken[0][0] != taken[-1][0]:  # of one instant they come in order
            taken.sort(key=itemgetter(1, 2, 0, 3))
        return [entry[4] for entry in taken]

    def shift(self, by: Duration) -> None:
        """Moves everything but ticks along with a leap of the clock (section 7)."""
        for _, _, _, _, timer in self._heap:
            if timer.rank is not Rank.TICK:
                timer.instant += by
        self._heap = [
            (timer.instant, rank, order, serial, timer)
            for _, rank, order, serial, timer in self._heap
        ]
        heapify(self._heap)

    def _sweep(self) -> None:
        self._heap = [entry for entry in self._heap if entry[4].alive]
        heapify(self._heap)
        self._sweep_at = max(_SWEEP_FROM, 2 * len(self._heap))
