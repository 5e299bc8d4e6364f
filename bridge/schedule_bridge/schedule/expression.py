"""A cron expression as Debian's cron reads it (R25).

Five fields (minute, hour, day of month, month, weekday), or six with seconds first. Of what other
crons know beyond that (`L`, `W`, `#`, `?`, random and hashed values) nothing is accepted: croniter
reads some of it otherwise than their users mean, and some anew at every call.
"""

import re
from dataclasses import dataclass
from typing import Final

from schedule_bridge.schedule.errors import ScheduleError, quoted
from schedule_bridge.schedule.fields import (
    DAY_FIELD,
    HOUR_FIELD,
    MINUTE_FIELD,
    MONTH_FIELD,
    SECOND_FIELD,
    WEEKDAY_FIELD,
    parse_field,
)

_LONGEST: Final = 256
_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_SHORTHANDS: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_EVERY_DAY: Final = frozenset(range(1, 32))
_EVERY_WEEKDAY: Final = frozenset(range(7))
_LONGEST_MONTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH_NAMES: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(frozen=True, slots=True)
class Days:
    """The days on which a cron schedule has ticks.

    Attributes:
        days: days of the month, 1 to 31.
        months: 1 to 12.
        weekdays: 0 (Sunday) to 6.
        either: a day of the month or a weekday is enough; otherwise it takes both.
    """

    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either: bool


@dataclass(frozen=True, slots=True)
class CronFields:
    """What a cron expression says.

    Attributes:
        seconds: sorted; only 0 where the expression has five fields.
        minutes: sorted.
        hours: sorted.
        days: on which days.
        real_time: the minute or the hour field begins with `*` (R25).
        texts: the six fields as written.
    """

    seconds: tuple[int, ...]
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: Days
    real_time: bool
    texts: tuple[str, ...]


def parse_expression(expression: str) -> CronFields:
    """Read a cron expression; raises `ScheduleError` with a sentence for a person."""
    texts = _split(expression)
    second, minute, hour, day, month, weekday = texts
    return CronFields(
        seconds=tuple(sorted(parse_field(second, SECOND_FIELD))),
        minutes=tuple(sorted(parse_field(minute, MINUTE_FIELD))),
        hours=tuple(sorted(parse_field(hour, HOUR_FIELD))),
        days=_days(day, month, weekday),
        real_time=minute.startswith("*") or hour.startswith("*"),
        texts=texts,
    )


def _split(expression: str) -> tuple[str, ...]:
    if len(expression) > _LONGEST:
        raise _refusal(f"A cron expression has at most {_LONGEST} characters.")
    if _CONTROL.search(expression):
        raise _refusal("A cron expression is one line of plain text without control characters.")
    texts = re.split(r"[ \t]+", _written_out(expression.strip(" \t")))
    if len(texts) == 5:
        return ("0", *texts)
    if len(texts) == 6:
        return tuple(texts)
    raise _refusal(
        "A cron expression has 5 fields (minute, hour, day, month, weekday), or 6 with seconds "
        f"first; this one has {len(texts)}."
    )


def _written_out(expression: str) -> str:
    if not expression:
        raise _refusal("The cron expression is empty.")
    if not expression.startswith("@"):
        return expression
    fields = _SHORTHANDS.get(expression.lower())
    if fields is None:
        raise _refusal(f"{quoted(expression)} is not one of {', '.join(_SHORTHANDS)}.")
    return fields


def _days(day: str, month: str, weekday: str) -> Days:
    days = parse_field(day, DAY_FIELD)
    months = parse_field(month, MONTH_FIELD)
    weekdays = frozenset(value % 7 for value in parse_field(weekday, WEEKDAY_FIELD))
    dates = [(d, m) for m in sorted(months) for d in sorted(days) if d <= _LONGEST_MONTHS[m - 1]]
    either = not day.startswith("*") and not weekday.startswith("*")
    if either:
        return _either(days if dates else frozenset(), months, weekdays)
    if not dates:
        raise _impossible(days, months)
    return Days(days, months, weekdays, either=False)


def _either(days: frozenset[int], months: frozenset[int], weekdays: frozenset[int]) -> Days:
    """The plainest way to say it: "either" only if each of the two adds days of its own."""
    if _EVERY_DAY in (days, weekdays) or weekdays == _EVERY_WEEKDAY:
        return Days(_EVERY_DAY, months, _EVERY_WEEKDAY, either=False)
    if not days:
        return Days(_EVERY_DAY, months, weekdays, either=False)
    return Days(days, months, weekdays, either=True)


def _impossible(days: frozenset[int], months: frozenset[int]) -> ScheduleError:
    dates = [f"{day} {_MONTH_NAMES[m - 1]}" for m in sorted(months) for day in sorted(days)]
    verb = "does" if len(dates) == 1 else "do"
    return _refusal(f"{_listed(dates)} {verb} not exist, so this schedule would never run.")


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _refusal(sentence: str) -> ScheduleError:
    return ScheduleError("/expression", sentence)
