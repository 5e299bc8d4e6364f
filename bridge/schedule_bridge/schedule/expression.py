"""A cron expression as Debian's cron reads it (R25).

Five fields (minute, hour, day of month, month, weekday), or six with seconds first. Of what other
crons know beyond that (`L`, `W`, `#`, `?`, random and hashed values) nothing is accepted: croniter
reads some of it otherwise than their users mean, and some anew at every call.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from schedule_bridge.schedule.days import Days, parse_days
from schedule_bridge.schedule.errors import ScheduleError, quoted
from schedule_bridge.schedule.fields import (
    HOUR_FIELD,
    MINUTE_FIELD,
    SECOND_FIELD,
    parse_field,
)

_LONGEST: Final = 256
_EXPRESSIONS_KNOWN: Final = 1024
"""Triggers share few expressions, and a start reads those of all triggers."""
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


@lru_cache(_EXPRESSIONS_KNOWN)
def parse_expression(expression: str) -> CronFields:
    """Read a cron expression; raises `ScheduleError` with a sentence for a person."""
    texts = _split(expression)
    second, minute, hour, day, month, weekday = texts
    return CronFields(
        seconds=tuple(sorted(parse_field(second, SECOND_FIELD))),
        minutes=tuple(sorted(parse_field(minute, MINUTE_FIELD))),
        hours=tuple(sorted(parse_field(hour, HOUR_FIELD))),
        days=parse_days(day, month, weekday),
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


def _refusal(sentence: str) -> ScheduleError:
    return ScheduleError("/expression", sentence)
