"""On which days a cron expression has ticks."""

from dataclasses import dataclass
from typing import Final

from schedule_bridge.schedule.errors import ScheduleError
from schedule_bridge.schedule.fields import DAY_FIELD, MONTH_FIELD, WEEKDAY_FIELD, parse_field

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


def parse_days(day: str, month: str, weekday: str) -> Days:
    """Read the three fields; raises `ScheduleError` if they are bad or allow no date at all."""
    days = parse_field(day, DAY_FIELD)
    months = parse_field(month, MONTH_FIELD)
    weekdays = frozenset(value % 7 for value in parse_field(weekday, WEEKDAY_FIELD))
    possible = any(d <= _LONGEST_MONTHS[m - 1] for m in months for d in days)
    if not day.startswith("*") and not weekday.startswith("*"):
        return _either(days if possible else frozenset(), months, weekdays)
    if not possible:
        raise _impossible(days, months)
    return Days(days, months, weekdays, either=False)


def _either(days: frozenset[int], months: frozenset[int], weekdays: frozenset[int]) -> Days:
    """The plainest way to say it: "either" only if each of the two adds days of its own."""
    if days == _EVERY_DAY or weekdays == _EVERY_WEEKDAY:
        return Days(_EVERY_DAY, months, _EVERY_WEEKDAY, either=False)
    if not days:
        return Days(_EVERY_DAY, months, weekdays, either=False)
    return Days(days, months, weekdays, either=True)


def _impossible(days: frozenset[int], months: frozenset[int]) -> ScheduleError:
    dates = [f"{day} {_MONTH_NAMES[m - 1]}" for m in sorted(months) for day in sorted(days)]
    verb = "does" if len(dates) == 1 else "do"
    return ScheduleError(
        "/expression", f"{_listed(dates)} {verb} not exist, so this schedule would never run."
    )


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
