"""Microseconds and wall-clock time.

A *wall* time is what a clock on the wall shows, as microseconds since 1970-01-01T00:00 of that
same clock: an instant plus the zone's offset. It is an `int` like an instant, so names keep the
two apart.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_WALL_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - a wall time has no zone


def utc_datetime(instant: int) -> datetime:
    """The instant as an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=instant)


def wall_datetime(wall: int) -> datetime:
    """The wall time as a naive datetime."""
    return _WALL_EPOCH + timedelta(microseconds=wall)


def wall_time(naive: datetime) -> int:
    """The naive datetime as a wall time."""
    return (naive - _WALL_EPOCH) // timedelta(microseconds=1)
