"""Ticks of a cron expression in a time zone (R25)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from schedule_bridge.schedule.expression import CronFields, parse_expression
from schedule_bridge.schedule.matching import WallMatcher
from schedule_bridge.schedule.model import Missed
from schedule_bridge.schedule.spans import Timeline, timeline
from schedule_bridge.schedule.zones import FIRST_INSTANT, LAST_INSTANT, find_zone

_SCHEDULES_KNOWN: Final = 1024
"""Triggers share few schedules."""


@dataclass(frozen=True, slots=True)
class CronSchedule:
    """The ticks of a cron expression from 1970 to 2299; outside those years there are none.

    Attributes:
        zone: the schedule's time zone.
        fields: what the expression says.
        timeline: how the zone's wall clock runs for it.
    """

    zone: ZoneInfo
    fields: CronFields
    timeline: Timeline

    def next_after(self, instant: int) -> int | None:
        """The first tick strictly after the instant; None if there is none before 2300."""
        matcher = WallMatcher(self.fields)
        for span in self.timeline.after(instant):
            begin, end = span.between(instant, LAST_INSTANT)
            found = matcher.at_or_after(begin)
            if found < end:
                return span.instant(found)
        return None

    def last_at_or_before(self, instant: int) -> int | None:
        """The last tick at or before the instant; None if there is none since 1970."""
        matcher = WallMatcher(self.fields)
        for span in self.timeline.back_from(instant):
            begin, end = span.between(FIRST_INSTANT - 1, instant)
            found = matcher.before(end)
            if found >= begin:
                return span.instant(found)
        return None

    def interval_at(self, instant: int) -> int | None:
        """The gap between the ticks around the instant (R20)."""
        last, following = self.last_at_or_before(instant), self.next_after(instant)
        return None if last is None or following is None else following - last

    def missed_between(self, after: int, until: int) -> Missed | None:
        """The ticks with after < tick <= until; takes time in proportion to the days."""
        first, last = self.next_after(after), self.last_at_or_before(until)
        if first is None or last is None or first > last:
            return None
        return Missed(self._count_between(after, until), first, last)

    def _count_between(self, after: int, until: int) -> int:
        total, matcher = 0, WallMatcher(self.fields)
        for span in self.timeline.between(after, until):
            count = matcher.count(*span.between(after, until))
            total += count if span.collapsed_to is None else min(count, 1)
        return total

    def latest_between(self, after: int, until: int, limit: int) -> list[int]:
        """The latest `limit` ticks with after < tick <= until, oldest first."""
        ticks: list[int] = []
        tick = self.last_at_or_before(until)
        while tick is not None and tick > after and len(ticks) < limit:
            ticks.append(tick)
            tick = self.last_at_or_before(tick - 1)
        return ticks[::-1]


@lru_cache(_SCHEDULES_KNOWN)
def cron_schedule(expression: str, timezone: str) -> CronSchedule:
    """The schedule of an expression in the zone of that name; raises `ScheduleError`."""
    fields, zone = parse_expression(expression), find_zone(timezone)
    return CronSchedule(zone, fields, timeline(zone, real_time=fields.real_time))
