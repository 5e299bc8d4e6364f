"""A schedule in words."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from cron_descriptor import (  # type: ignore[import-untyped] # typed, but not marked so
    Options,
    get_description,
)

from schedule_bridge.schedule.config import NO_SCHEDULE, every_of, expression_of, kind_of
from schedule_bridge.schedule.expression import CronFields, parse_expression
from schedule_bridge.schedule.units import DAY, HOUR, MINUTE, SECOND

_OPTIONS: Final = Options(use_24hour_time_format=True, locale_code="en_US")
_MOST_LISTED: Final = 9
_BETWEEN: Final = re.compile(r"\bbetween (\S+) and (\S+)")
_EVERY_NTH: Final = re.compile(r"\*/([0-9]+)")


def describe(config: Mapping[str, object] | None) -> str:
    """The schedule in words, such as "Every 10 minutes"; raises `ScheduleError` if it is bad."""
    members = NO_SCHEDULE if config is None else config
    match kind_of(members):
        case "interval":
            return _describe_interval(every_of(members))
        case "cron":
            return _describe_cron(parse_expression(expression_of(members)))
        case "none":
            return "No schedule"


def _describe_interval(every: int) -> str:
    for unit, word in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (SECOND, "second")):
        if every == unit:
            return f"Every {word}"
        if every % unit == 0:
            return f"Every {every // unit} {word}s"
    return f"Every {every / SECOND:.6f}".rstrip("0") + " seconds"


def _describe_cron(fields: CronFields) -> str:
    text: str = get_description(_plain_expression(fields), _OPTIONS)
    text = _BETWEEN.sub(r"\1 to \2", text).replace(" through ", " to ")
    # The describer says "or" of every pair of day and weekday.
    return text if fields.days.either else text.replace(", or on ", ", but only on ")


def _plain_expression(fields: CronFields) -> str:
    """The same ticks, written so that the describer's words are true of them."""
    second, minute, hour, day, month, _ = fields.texts
    days = fields.days
    day_text = _plain(days.days, day, 31)
    weekday_text = _plain(days.weekdays, "", 7)
    if day_text != "*" and "-" in weekday_text:
        # Of a range of weekdays the describer does not say how it goes with the days.
        weekday_text = _list(days.weekdays)
    return " ".join(
        (
            _plain_time(fields.seconds, second, 60),
            _plain_time(fields.minutes, minute, 60),
            _plain_time(fields.hours, hour, 24),
            day_text,
            _plain(days.months, month, 12),
            weekday_text,
        )
    )


def _plain_time(values: Collection[int], text: str, size: int) -> str:
    """Every nth where that is even; `*/7` minutes are not 7 minutes apart at the full hour."""
    step = _EVERY_NTH.fullmatch(text)
    if step and 1 < int(step[1]) < size and size % int(step[1]) == 0:
        return text
    return _plain(values, text, size)


def _plain(values: Collection[int], text: str, size: int) -> str:
    if len(values) == size:
        return "*"
    if len(values) > 2 and max(values) - min(values) == len(values) - 1:
        return f"{min(values)}-{max(values)}"
    # The describer stumbles over steps in lists.
    stepped_list = "," in text and "/" in text
    return _list(values) if len(values) <= _MOST_LISTED or stepped_list else text


def _list(values: Collection[int]) -> str:
    return ",".join(str(value) for value in sorted(values))
