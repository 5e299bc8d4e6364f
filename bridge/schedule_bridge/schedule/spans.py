"""How a zone's wall clock runs, cut into spans that a schedule goes through in order (R25).

Within a span wall time and instants advance together, so that matching cron fields against wall
times needs to know nothing of daylight saving. What a schedule makes of a change of the clocks is
decided here, once, by which spans it gets:

- clocks go forward: the wall times that do not exist are in no span of a real-time schedule; any
  other schedule gets them as a span that is collapsed to the instant of the change;
- clocks go back: a real-time schedule has the repeated wall times in two spans, any other one only
  in the first.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

from schedule_bridge.schedule.units import HOUR, SECOND
from schedule_bridge.schedule.zones import (
    FIRST_INSTANT,
    LAST_INSTANT,
    Change,
    changes,
    offset_at,
)

# A zone that jumps this far has moved to another day, not to another season.
_LONGEST_MADE_UP_JUMP: Final = 3 * HOUR


@dataclass(frozen=True, slots=True)
class Span:
    """The wall times from `begin` up to, not including, `end`.

    Attributes:
        begin: wall time.
        end: wall time.
        offset: what the wall clock is ahead of UTC, in microseconds.
        collapsed_to: the instant that stands for all of the span; None in an ordinary span.
    """

    begin: int
    end: int
    offset: int
    collapsed_to: int | None = None

    def instant(self, wall: int) -> int:
        """The instant of a wall time of this span."""
        return wall - self.offset if self.collapsed_to is None else self.collapsed_to

    @property
    def first_instant(self) -> int:
        """The earliest instant that the span can yield."""
        return self.instant(self.begin)

    @property
    def last_instant(self) -> int:
        """The latest instant that the span can yield."""
        return self.instant(self.end - 1)

    def between(self, after: int, until: int) -> tuple[int, int]:
        """The wall times (begin, end) whose instants lie in after < instant <= until."""
        if self.collapsed_to is None:
            begin = max(self.begin, after + 1 + self.offset)
            return begin, max(begin, min(self.end, until + 1 + self.offset))
        inside = after < self.collapsed_to <= until
        return self.begin, self.end if inside else self.begin


class Timeline:
    """The spans of one zone in order, looked up by instant."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._first_instants = [span.first_instant for span in spans]
        self._last_instants = [span.last_instant for span in spans]

    def after(self, instant: int) -> Iterator[Span]:
        """The spans that reach beyond the instant, in order."""
        index = bisect_right(self._last_instants, instant)
        return (self._spans[i] for i in range(index, len(self._spans)))

    def back_from(self, instant: int) -> Iterator[Span]:
        """The spans that begin at or before the instant, latest first."""
        index = bisect_right(self._first_instants, instant)
        return (self._spans[i] for i in range(index - 1, -1, -1))

    def between(self, after: int, until: int) -> Sequence[Span]:
        """The spans with instants in after < instant <= until, in order."""
        index = bisect_right(self._last_instants, after)
        return self._spans[index : bisect_left(self._first_instants, until + 1)]


@lru_cache(maxsize=64)
def timeline(zone: ZoneInfo, *, real_time: bool) -> Timeline:
    """The spans that a real-time schedule, or any other schedule, goes through in the zone."""
    first_offset, last_offset = offset_at(zone, FIRST_INSTANT), offset_at(zone, LAST_INSTANT)
    edges = (
        Change(FIRST_INSTANT, first_offset, first_offset),
        *changes(zone),
        Change(LAST_INSTANT, last_offset, last_offset),
    )
    spans = _real_time_spans(edges) if real_time else _wall_clock_spans(edges)
    return Timeline([span for span in spans if span.begin < span.end])


def _real_time_spans(edges: Sequence[Change]) -> Iterator[Span]:
    for change, following in pairwise(edges):
        yield Span(change.at + change.after, following.at + change.after, change.after)


def _wall_clock_spans(edges: Sequence[Change]) -> Iterator[Span]:
    for change, following in pairwise(edges):
        begin, stopped = change.at + change.after, change.at + change.before
        if 0 < begin - stopped < _LONGEST_MADE_UP_JUMP:
            # The first second after the change belongs to it: a tick of that second and those of
            # the wall times that do not exist are one.
            begin += SECOND
            yield Span(stopped, begin, change.after, collapsed_to=change.at)
        yield Span(max(begin, stopped), following.at + change.after, change.after)
