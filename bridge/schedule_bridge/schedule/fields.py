"""One field of a cron expression: text in, set of values out."""

import re
from dataclasses import dataclass
from typing import Final

from schedule_bridge.schedule.errors import ScheduleError, quoted

_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_WEEKDAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")

_ITEM: Final = re.compile(
    r"(?P<first>\*|[0-9a-z]+)(?:-(?P<last>[0-9a-z]+))?(?:/(?P<step>[0-9]+))?",
    re.ASCII | re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class FieldRule:
    """What a field may hold: the values from `low` to `high`, some of which have names."""

    noun: str
    values: str
    low: int
    high: int
    names: tuple[str, ...] = ()
    remark: str = ""

    @property
    def allowed(self) -> str:
        """What is allowed, as words that can follow "go"."""
        return f"from {self.low} to {self.high}{self.remark}"

    def refuse(self, sentence: str) -> ScheduleError:
        """The error that says so and what would be allowed."""
        return ScheduleError("/expression", f"{sentence} {self.values} go {self.allowed}.")


SECOND_FIELD: Final = FieldRule("second", "Seconds", 0, 59)
MINUTE_FIELD: Final = FieldRule("minute", "Minutes", 0, 59)
HOUR_FIELD: Final = FieldRule("hour", "Hours", 0, 23)
DAY_FIELD: Final = FieldRule("day", "Days of the month", 1, 31)
MONTH_FIELD: Final = FieldRule("month", "Months", 1, 12, _MONTHS, " or jan to dec")
WEEKDAY_FIELD: Final = FieldRule(
    "weekday", "Weekdays", 0, 7, _WEEKDAYS, " or sun to sat, 0 and 7 both being Sunday"
)


def parse_field(text: str, rule: FieldRule) -> frozenset[int]:
    """The values that the field's text stands for.

    `text` is a list of `*`, values and ranges, each perhaps with a step. A value with a step runs
    from there to the end of the field. Raises `ScheduleError` with a sentence that names the field.
    """
    return frozenset(value for item in text.split(",") for value in _values(item, rule))


def _values(item: str, rule: FieldRule) -> range:
    match = _ITEM.fullmatch(item)
    if match is None or (match["first"] == "*" and match["last"] is not None):
        raise _unreadable(item, rule)
    step = _step(match["step"], rule)
    if match["first"] == "*":
        return range(rule.low, rule.high + 1, step)
    first = _value(match["first"], rule)
    return range(first, _last(match, first, rule) + 1, step)


def _step(text: str | None, rule: FieldRule) -> int:
    if text is None:
        return 1
    if int(text) == 0:
        raise rule.refuse(f"A step of 0 in the {rule.noun} field leads nowhere.")
    return int(text)


def _last(match: re.Match[str], first: int, rule: FieldRule) -> int:
    if match["last"] is None:
        return first if match["step"] is None else rule.high
    last = _value(match["last"], rule)
    if last < first:
        given = quoted(f"{match['first']}-{match['last']}")
        raise rule.refuse(f"The {rule.noun} range {given} runs backwards.")
    return last


def _value(text: str, rule: FieldRule) -> int:
    if not _NUMBER.fullmatch(text):
        return _named_value(text, rule)
    if rule.low <= int(text) <= rule.high:
        return int(text)
    raise rule.refuse(f"{rule.noun.capitalize()} {text} does not exist.")


def _named_value(text: str, rule: FieldRule) -> int:
    if text.lower() in rule.names:
        return rule.names.index(text.lower()) + rule.low
    raise _unreadable(text, rule)


def _unreadable(text: str, rule: FieldRule) -> ScheduleError:
    return rule.refuse(
        f"The {rule.noun} field cannot be {quoted(text)}: it takes *, values, lists such as 1,3, "
        "ranges such as 1-5 and steps such as */2."
    )
