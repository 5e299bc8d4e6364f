"""Time zones and their changes of offset, from the pinned tzdata wheel alone.

The system's zone data and Node.js's differ from the wheel's and from each other, so that one
source must decide for everyone.
"""

import zoneinfo
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

import tzdata  # type: ignore[import-untyped] # carries data and one constant, no types

from schedule_bridge.schedule.errors import ScheduleError, quoted
from schedule_bridge.schedule.units import SECOND, utc_datetime, wall_time

zoneinfo.reset_tzpath(to=())
zoneinfo.ZoneInfo.clear_cache()

ZONE_DATA_VERSION: Final[str] = tzdata.IANA_VERSION

# Cron ticks are computed within these years.
FIRST_INSTANT: Final = 0
LAST_INSTANT: Final = int(datetime(2300, 1, 1, tzinfo=UTC).timestamp()) * SECOND

# The shortest-lived offset since 1970 lasted seven days less an hour (Gaza, Recife): it cannot
# hide between two probes.
_PROBE: Final = timedelta(days=4)


@dataclass(frozen=True, slots=True)
class Change:
    """At the instant `at` the zone's offset goes from `before` to `after` (microseconds)."""

    at: int
    before: int
    after: int


def find_zone(name: str) -> zoneinfo.ZoneInfo:
    """The zone of that name, "" being UTC; raises `ScheduleError` if there is none."""
    if name not in _zone_names() and name != "":
        raise ScheduleError("/timezone", f"Unknown time zone {quoted(name)}.")
    return zoneinfo.ZoneInfo(name or "UTC")


@lru_cache(maxsize=1)
def _zone_names() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


@lru_cache(maxsize=64)
def changes(zone: zoneinfo.ZoneInfo) -> tuple[Change, ...]:
    """Every change of the zone's offset in the years that are supported, in order."""
    return tuple(_find_changes(zone))


def _find_changes(zone: zoneinfo.ZoneInfo) -> Iterator[Change]:
    at = _next_change(zone, FIRST_INSTANT)
    while at is not None:
        yield Change(at, offset_at(zone, at - 1), offset_at(zone, at))
        at = _next_change(zone, at)


def _next_change(zone: zoneinfo.ZoneInfo, instant: int) -> int | None:
    probe, last = utc_datetime(instant), utc_datetime(LAST_INSTANT)
    offset = probe.astimezone(zone).utcoffset()
    while probe < last:
        if (probe + _PROBE).astimezone(zone).utcoffset() != offset:
            return wall_time(_first_otherwise(zone, probe).replace(tzinfo=None))
        probe += _PROBE
    return None


def _first_otherwise(zone: zoneinfo.ZoneInfo, probe: datetime) -> datetime:
    """The first second after the probe with another offset."""
    offset = probe.astimezone(zone).utcoffset()

    def is_otherwise(seconds: int) -> bool:
        return (probe + timedelta(seconds=seconds)).astimezone(zone).utcoffset() != offset

    seconds = range(_PROBE // timedelta(seconds=1) + 1)
    return probe + timedelta(seconds=bisect_left(seconds, x=True, key=is_otherwise))


def offset_at(zone: zoneinfo.ZoneInfo, instant: int) -> int:
    """The zone's offset from UTC at the instant, in microseconds, east positive."""
    local = utc_datetime(instant).astimezone(zone)
    return wall_time(local.replace(tzinfo=None)) - instant
