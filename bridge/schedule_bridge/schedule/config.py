"""The members of a schedule's configuration, read one by one.

Each function raises `ScheduleError`, with a pointer to the member, if it cannot be used.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from schedule_bridge.schedule.errors import ScheduleError, quoted
from schedule_bridge.schedule.units import DAY, SECOND
from schedule_bridge.wire.times import parse_instant

Config = Mapping[str, object]

NO_SCHEDULE: Final[Config] = MappingProxyType({"kind": "none"})

_SHORTEST: Final = SECOND // 10
_LONGEST: Final = 3_660 * DAY


def kind_of(config: Config) -> Literal["interval", "cron", "none"]:
    """Which kind of schedule it is."""
    match config.get("kind"):
        case "interval":
            return "interval"
        case "cron":
            return "cron"
        case "none":
            return "none"
    raise ScheduleError("/kind", "A schedule's kind is interval, cron or none.")


def every_of(config: Config) -> int:
    """The period of an interval schedule, in microseconds."""
    seconds = config.get("every")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise ScheduleError("/every", "The interval is a number of seconds.")
    if not _SHORTEST <= seconds * SECOND <= _LONGEST:
        raise ScheduleError("/every", "The interval goes from 0.1 seconds to 3660 days.")
    return round(seconds * SECOND)


def anchor_of(config: Config, default: int) -> int:
    """An instant on the grid of an interval schedule; the default if none is given."""
    anchor = config.get("anchor")
    if anchor is None:
        return default
    if not isinstance(anchor, str):
        raise ScheduleError("/anchor", "The anchor is a time such as 2026-01-01T00:00:00Z.")
    try:
        return parse_instant(anchor)
    except ValueError as error:
        raise ScheduleError(
            "/anchor", f"The anchor {quoted(anchor)} is not a time such as 2026-01-01T00:00:00Z."
        ) from error


def expression_of(config: Config) -> str:
    """The expression of a cron schedule, yet to be parsed."""
    expression = config.get("expression")
    if isinstance(expression, str):
        return expression
    raise ScheduleError("/expression", "A cron schedule needs an expression.")


def timezone_of(config: Config) -> str:
    """The name of a cron schedule's time zone, yet to be found; "" if it names none."""
    timezone = config.get("timezone")
    if timezone is None:
        return ""
    if isinstance(timezone, str):
        return timezone
    raise ScheduleError("/timezone", 'The time zone is a name such as "Europe/Berlin".')


def same_period(before: Config | None, after: Config | None) -> bool:
    """Whether both are interval schedules of one `every`, so that the anchor stays (R23)."""
    if before is None or after is None:
        return False
    both_intervals = before.get("kind") == after.get("kind") == "interval"
    return both_intervals and before.get("every") == after.get("every")
