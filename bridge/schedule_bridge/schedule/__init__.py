"""When ticks come: intervals, cron expressions in a time zone, previews, words.

Instants and durations are integers: microseconds, UTC.
"""

from schedule_bridge.schedule.config import same_period
from schedule_bridge.schedule.errors import ScheduleError
from schedule_bridge.schedule.model import Missed, Schedule
from schedule_bridge.schedule.parsing import parse_schedule
from schedule_bridge.schedule.preview import PreviewTick, preview
from schedule_bridge.schedule.words import describe
from schedule_bridge.schedule.zones import ZONE_DATA_VERSION

__all__ = [
    "ZONE_DATA_VERSION",
    "Missed",
    "PreviewTick",
    "Schedule",
    "ScheduleError",
    "describe",
    "parse_schedule",
    "preview",
    "same_period",
]
