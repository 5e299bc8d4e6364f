"""Times as an operator types and reads them: in the local time of this machine."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from typing import Any, Final

import click

from schedule_bridge.core.model import MINUTE, SECOND, Duration, Instant
from schedule_bridge.wire.times import parse_instant

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final[Duration] = SECOND // 1000
_DAY: Final = "%Y-%m-%d "
_SHAPES: Final = (("%H:%M", MINUTE), ("%H:%M:%S", SECOND))
_SENTENCE: Final = "A time is 10:20, 10:20:30 or 2026-01-01T10:20:00Z, not {!r}."


@dataclass(slots=True, frozen=True)
class Moment:
    """A time that a person named, as long as it was named exactly: 10:20 is a whole minute.

    `first` and `last` belong to it.
    """

    text: str
    first: Instant
    last: Instant


class MomentType(click.ParamType[Moment]):
    """A time of day (when it was last), one of a day, or an RFC 3339 instant."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Moment:
        """The moment; a usage error if the text is none."""
        try:
            return value if isinstance(value, Moment) else read_moment(value, now())
        except ValueError:
            self.fail(_SENTENCE.format(value), param, ctx)


def now() -> Instant:
    """The wall clock of this machine."""
    return time.time_ns() // 1000


def read_moment(text: str, at: Instant) -> Moment:
    """What the text means at that instant; ValueError if it means nothing."""
    for shape, length in _SHAPES:
        first = _occurrence(text, shape, at)
        if first is not None:
            return Moment(text, first, first + length - 1)
    first = parse_instant(text) // _MILLISECOND * _MILLISECOND
    return Moment(text, first, first + (_MILLISECOND if "." in text else SECOND) - 1)


def local_time(instant: str | None, at: Instant) -> str:
    """An instant of the API as local time, with its date unless that is today's; "" for none."""
    if instant is None:
        return ""
    local = _local(parse_instant(instant))
    shape = "%H:%M:%S" if local.date() == _local(at).date() else "%Y-%m-%d %H:%M:%S"
    return local.strftime(shape)


def _occurrence(text: str, shape: str, at: Instant) -> Instant | None:
    with suppress(ValueError):
        return _latest(datetime.strptime(text, shape).time(), at)  # noqa: DTZ007 - local time
    with suppress(ValueError):
        named = datetime.strptime(text, _DAY + shape)  # noqa: DTZ007 - local time
        return _instant(named.date(), named.time(), 0)
    return None


def _latest(clock: time_of_day, at: Instant) -> Instant:
    """When that time of day was last; of a repeated hour either pass may be it."""
    today = _local(at).date()
    days = (today, today - timedelta(days=1))
    occurrences = [_instant(day, clock, fold) for day in days for fold in (0, 1)]
    return max(each for each in occurrences if each <= at)


def _instant(day: date, clock: time_of_day, fold: int) -> Instant:
    naive = datetime.combine(day, clock.replace(fold=fold))
    return (naive.astimezone(UTC) - _EPOCH) // timedelta(microseconds=1)


def _local(instant: Instant) -> datetime:
    return (_EPOCH + timedelta(microseconds=instant)).astimezone()
