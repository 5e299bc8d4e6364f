"""The next ticks, as people see them."""

from dataclasses import dataclass
from datetime import datetime

from schedule_bridge.schedule.model import Schedule
from schedule_bridge.schedule.units import SECOND, utc_datetime


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
    """The first `count` ticks strictly after the instant, fewer if there are no more."""
    ticks: list[PreviewTick] = []
    before, at = _local(schedule, after), schedule.next_after(after)
    while at is not None and len(ticks) < count:
        local = _local(schedule, at)
        ticks.append(PreviewTick(at, _shown(local, at), local.utcoffset() != before.utcoffset()))
        before, at = local, schedule.next_after(at)
    return ticks


def _local(schedule: Schedule, instant: int) -> datetime:
    return utc_datetime(instant).astimezone(schedule.zone)


def _shown(local: datetime, at: int) -> str:
    return local.isoformat(timespec="milliseconds" if at % SECOND else "seconds")
