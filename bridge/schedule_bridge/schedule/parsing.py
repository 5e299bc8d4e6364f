"""From a schedule's configuration to its ticks."""

from collections.abc import Mapping

from schedule_bridge.schedule.config import (
    NO_SCHEDULE,
    anchor_of,
    every_of,
    expression_of,
    kind_of,
    timezone_of,
)
from schedule_bridge.schedule.cron import cron_schedule
from schedule_bridge.schedule.interval import IntervalSchedule
from schedule_bridge.schedule.model import Schedule
from schedule_bridge.schedule.none import NoSchedule


def parse_schedule(config: Mapping[str, object] | None, *, default_anchor: int) -> Schedule:
    """The schedule that the configuration describes.

    Args:
        config: as in a trigger's configuration; None is the same as kind "none".
        default_anchor: the anchor of an interval schedule that names none (an instant).

    Raises:
        ScheduleError: with a sentence for a person and a pointer to the member at fault.
    """
    members = NO_SCHEDULE if config is None else config
    match kind_of(members):
        case "interval":
            return IntervalSchedule(anchor_of(members, default_anchor), every_of(members))
        case "cron":
            return cron_schedule(expression_of(members), timezone_of(members))
        case "none":
            return NoSchedule()
