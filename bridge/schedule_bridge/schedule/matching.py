"""Which wall times a cron expression matches.

croniter finds the next and the previous match, and is asked about wall times only: what it makes
of time zones is not to be trusted. Counting needs no search at all.
"""

from bisect import bisect_left
from collections.abc import Iterable
from copy import copy
from datetime import date, datetime
from functools import lru_cache
from typing import Final

from croniter import croniter

from schedule_bridge.schedule.days import Days
from schedule_bridge.schedule.expression import CronFields
from schedule_bridge.schedule.units import DAY, SECOND, wall_datetime, wall_time

_EXPRESSIONS_KNOWN: Final = 1024
"""Triggers share few expressions; to read one takes croniter half a millisecond."""
_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()


class WallMatcher:
    """Finds matches of a cron expression on the wall clock.

    There always is one: no date on a certain weekday is more than 40 years from its like. The last
    answer is kept, so that going through spans without a match costs no further search.
    """

    def __init__(self, fields: CronFields) -> None:
        self._fields = fields
        # Its place on the wall clock is its own, what it reads of the expression is shared.
        self._croniter = copy(_read_by_croniter(fields))
        self._ahead: tuple[int, int] | None = None
        self._behind: tuple[int, int] | None = None

    def at_or_after(self, wall: int) -> int:
        """The first match at or after the wall time."""
        if self._ahead is None or not self._ahead[0] <= wall <= self._ahead[1]:
            whole_seconds = -(-wall // SECOND) * SECOND
            start = wall_datetime(whole_seconds - SECOND)
            found: datetime = self._croniter.get_next(datetime, start_time=start)
            self._ahead = (wall, wall_time(found))
        return self._ahead[1]

    def before(self, wall: int) -> int:
        """The last match strictly before the wall time."""
        if self._behind is None or not self._behind[0] < wall <= self._behind[1]:
            found: datetime = self._croniter.get_prev(datetime, start_time=wall_datetime(wall))
            self._behind = (wall_time(found), wall)
        return self._behind[0]

    def count(self, begin: int, end: int) -> int:
        """How many matches there are with begin <= match < end, two wall times.

        Takes time in proportion to the days between the two, not to the matches.
        """
        first_day, begin_time = divmod(begin, DAY)
        last_day, end_time = divmod(end, DAY)
        matching_days = sum(self._has_day(day) for day in range(first_day, last_day))
        return (
            matching_days * self._times_before(DAY)
            - self._has_day(first_day) * self._times_before(begin_time)
            + self._has_day(last_day) * self._times_before(end_time)
        )

    def _has_day(self, day: int) -> bool:
        return _matches(self._fields.days, date.fromordinal(_EPOCH_DAY + day))

    def _times_before(self, time: int) -> int:
        """How many times of day match that lie before `time`, microseconds after midnight."""
        hour, seconds = divmod(-(-time // SECOND), 3_600)
        minute, second = divmod(seconds, 60)
        hours, minutes, seconds_ = self._fields.hours, self._fields.minutes, self._fields.seconds
        count = bisect_left(hours, hour) * len(minutes) * len(seconds_)
        if hour in hours:
            count += bisect_left(minutes, minute) * len(seconds_)
            if minute in minutes:
                count += bisect_left(seconds_, second)
        return count


@lru_cache(_EXPRESSIONS_KNOWN)
def _read_by_croniter(fields: CronFields) -> "croniter[datetime]":
    spelled_out, either = _spelled_out(fields), fields.days.either
    return croniter(spelled_out, ret_type=datetime, day_or=either, second_at_beginning=True)


def _matches(days: Days, day: date) -> bool:
    if day.month not in days.months:
        return False
    by_date, by_weekday = day.day in days.days, day.isoweekday() % 7 in days.weekdays
    return (by_date or by_weekday) if days.either else (by_date and by_weekday)


def _spelled_out(fields: CronFields) -> str:
    """The expression as mere lists of numbers, which croniter cannot read differently."""
    days = fields.days
    sets = (fields.seconds, fields.minutes, fields.hours, days.days, days.months, days.weekdays)
    return " ".join(_comma_separated(values) for values in sets)


def _comma_separated(values: Iterable[int]) -> str:
    return ",".join(str(value) for value in sorted(values))
