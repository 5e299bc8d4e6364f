"""What is due, and in which order (R18): one agenda for every timer.

The entry of a timer that is no longer wanted, or is wanted at another instant, is left where it
is, and swept out when such entries outnumber the others: arming and disarming cost next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from heapq import heapify, heappop, heappush
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
    """Something that is to happen; `order` decides among equals of one rank.

    `serial` is that of the one entry which stands for it on the agenda, 0 while it is not armed.
    """

    rank: Rank
    order: Order
    target: object
    instant: Instant = 0
    serial: int = 0

    @property
    def armed(self) -> bool:
        """Whether it will be due at its instant."""
        return self.serial != 0

    def disarm(self) -> None:
        """It is no longer wanted; its entry is left for the sweep."""
        self.serial = 0


_Entry: TypeAlias = tuple[Rank, Order, int, Timer]
_rank_and_order = itemgetter(0, 1)


class Agenda:
    """All timers of a machine and of whoever drives it.

    What is due at one instant stands together, since schedules agree on whole seconds.
    """

    __slots__ = ("_due", "_instants", "_serial", "_sweep_at", "_taken")

    def __init__(self) -> None:
        self._due: dict[Instant, list[_Entry]] = {}
        self._instants: list[Instant] = []
        self._serial = 0
        self._taken = 0
        self._sweep_at = _SWEEP_FROM

    @property
    def kept(self) -> int:
        """How many entries there are, those included that have yet to be swept out."""
        return self._serial - self._taken

    def armed(self) -> Iterator[Timer]:
        """All that is to come, in no order."""
        return (timer for _, _, _, timer in self._valid_entries())

    def add(self, instant: Instant, rank: Rank, order: Order, target: object) -> Timer:
        """Makes a timer, arms it and returns it."""
        timer = Timer(rank, order, target)
        self.arm(timer, instant)
        return timer

    def arm(self, timer: Timer, instant: Instant) -> None:
        """Arms a timer, in place of whenever it was due before."""
        if self._serial - self._taken >= self._sweep_at:
            self._keep(list(self._valid_entries()))
        self._serial = timer.serial = serial = self._serial + 1
        timer.instant = instant
        entry = (timer.rank, timer.order, serial, timer)
        due = self._due.get(instant)
        if due is None:
            self._due[instant] = [entry]
            heappush(self._instants, instant)
        else:
            heappush(due, entry)

    def arm_all(self, timers: Iterable[tuple[Timer, Instant]]) -> None:
        """Arms many timers, in less time than one by one."""
        entries = list(self._valid_entries())
        for timer, instant in timers:
            self._serial = timer.serial = serial = self._serial + 1
            timer.instant = instant
            entries.append((timer.rank, timer.order, serial, timer))
        self._keep(entries)

    def next_instant(self) -> Instant | None:
        """When the next armed timer is due, or None."""
        instants = self._instants
        while instants:
            due = self._due[instants[0]]
            while due and due[0][2] != due[0][3].serial:
                heappop(due)
                self._taken += 1
            if due:
                return instants[0]
            del self._due[heappop(instants)]
        return None

    def pop(self, until: Instant) -> Timer | None:
        """Takes the first armed timer that is due at or before `until`, or None."""
        instant = self.next_instant()
        if instant is None or instant > until:
            return None
        timer = heappop(self._due[instant])[3]
        self._taken += 1
        timer.serial = 0
        return timer

    def pop_all(self, now: Instant) -> Iterator[Timer]:
        """Takes whatever is due at or before now, as things due at one instant (R18).

        Some of it may be late: a deadline that has passed goes before a tick that is older, since
        a run beyond its deadline is in nobody's way (R21). What an earlier one disarms is left out.
        """
        while due := self._take(now):
            for _, _, serial, timer in due:
                if timer.serial == serial:
                    timer.serial = 0
                    yield timer

    def _take(self, now: Instant) -> list[_Entry]:
        instants = self._instants
        taken: list[_Entry] = []
        while instants and instants[0] <= now:
            due = self._due.pop(heappop(instants))
            due.sort()
            taken += due
        self._taken += len(taken)
        if taken and taken[0][3].instant != taken[-1][3].instant:
            taken.sort(key=_rank_and_order)  # what is equal stays in the order of instants
        return taken

    def shift(self, by: Duration) -> None:
        """Moves everything but ticks along with a leap of the clock (section 7)."""
        entries = list(self._valid_entries())
        for _, _, _, timer in entries:
            if timer.rank is not Rank.TICK:
                timer.instant += by
        self._keep(entries)

    def _valid_entries(self) -> Iterator[_Entry]:
        entries = chain.from_iterable(self._due.values())
        return (entry for entry in entries if entry[3].serial == entry[2])

    def _keep(self, entries: Sequence[_Entry]) -> None:
        """Keeps these and no others, each at the instant of its timer."""
        kept: dict[Instant, list[_Entry]] = {}
        for entry in entries:
            instant = entry[3].instant
            due = kept.get(instant)
            if due is None:
                kept[instant] = [entry]
            else:
                heappush(due, entry)
        self._due, self._instants = kept, list(kept)
        heapify(self._instants)
        size = len(entries)
        self._taken = self._serial - size
        self._sweep_at = max(_SWEEP_FROM, 2 * size)
