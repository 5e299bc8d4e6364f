"""A stretch of missed ticks in words (R24)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from schedule_bridge.core import sentences
from schedule_bridge.core.decisions import Decision, Verdict
from schedule_bridge.core.model import NO_KEY

if TYPE_CHECKING:
    from schedule_bridge.core.model import FiringId, Instant
    from schedule_bridge.engine.registration import Registration
    from schedule_bridge.schedule import Schedule
    from schedule_bridge.store import MissedStretch

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def missed_decision(
    stretch: MissedStretch, registration: Registration, firing_id: FiringId
) -> Decision:
    """The one decision that stands for all ticks of a stretch."""
    until = _clock_time(stretch.last_tick, registration.schedule)
    config = registration.config
    return Decision(
        firing_id=firing_id,
        verdict=Verdict.MISSED,
        reason=stretch.reason,
        message=sentences.missed(stretch.ticks, until, stretch.reason),
        trigger_id=config.trigger_id,
        workflow_id=config.workflow_id,
        workspace_id=config.workspace_id,
        lock_key=NO_KEY,
        execution_id=None,
        decided_at=stretch.recorded_at,
        fired_at=stretch.recorded_at,
    )


def _clock_time(instant: Instant, schedule: Schedule) -> str:
    """The time of day in the schedule's zone, as people say it."""
    local = (_EPOCH + timedelta(microseconds=instant)).astimezone(schedule.zone)
    return f"{local:%H:%M:%S}" if local.second else f"{local:%H:%M}"
