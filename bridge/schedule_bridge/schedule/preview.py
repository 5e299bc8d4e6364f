"""The next ticks, as people see them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from schedule_bridge.schedule.model import Schedule
from schedule_bridge.schedule.units import SECOND, utc_datetime
from schedule_bridge.schedule.zones import FIRST_INSTANT, LAST_INSTANT

_LAST_WRITABLE: Final = int(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp()) * SECOND
"""Calendars end here; grids do not."""


@dataclass(frozen=True, slots=True)
class PreviewTick:
    """One tick to come.

    Attributes:
        at: the instant.
        local: RFC 3339 in the schedule's zone, such as "2027-03-28T03:00:00+02:00".
        clock_change: the clocks changed since the tick before (or since where the preview began).
    """

    at: int
    local: str
    clock_change: bool


def preview(schedule: Schedule, *, count: int, after: int) -> list[PreviewTick]:
    """The first `count` ticks strictly after the instant, fewer if there are no more.

    There are none beyond the year 9999, which no date can name.
    """
    ticks: list[PreviewTick] = []
    # Zones are asked about the years of cron ticks only: others may be no date on their clocks.
    since = min(max(after, FIRST_INSTANT), LAST_INSTANT)
    before, at = _local(schedule, since), schedule.next_after(after)
    while at is not None and at <= _LAST_WRITABLE and len(ticks) < count:
        local = _local(schedule, at)
        ticks.append(PreviewTick(at, _shown(local, at), local.utcoffset() != before.utcoffset()))
        before, at = local, schedule.next_after(at)
    return ticks


def _local(schedule: Schedule, instant: int) -> datetime:
    return utc_datetime(instant).astimezone(schedule.zone)


def _shown(local: datetime, at: int) -> str:
    return local.isoformat(timespec="milliseconds" if at % SECOND else "seconds")
