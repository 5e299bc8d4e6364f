"""When a run is taken for abandoned (R20 to R22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.agenda import Rank
from schedule_bridge.core.model import HOUR, Duration, Execution, Instant, TriggerConfig

if TYPE_CHECKING:
    from schedule_bridge.core.world import World

INTERVALS = 5
WITHOUT_SCHEDULE: Duration = 24 * HOUR


def run_limit(world: World, config: TriggerConfig, now: Instant) -> Duration:
    """R20: `maxRunMinutes`, else five intervals, else 24 hours."""
    if config.max_run:
        return config.max_run
    interval = world.surroundings.interval(config.trigger_id, now)
    return WITHOUT_SCHEDULE if interval is None else INTERVALS * interval


def set_deadline(world: World, execution: Execution, now: Instant) -> None:
    """Gives a run that was just claimed its deadline, by the setting of now (R14)."""
    trigger = world.triggers.get(execution.trigger_id)
    if trigger is not None:
        limit = run_limit(world, trigger.config, now)
    else:
        limit = execution.run_limit or WITHOUT_SCHEDULE
    execution.deadline = now + limit
    arm(world, execution)


def arm(world: World, execution: Execution) -> None:
    """Puts the deadline of a running execution on the agenda."""
    if execution.deadline is not None:
        execution.timer = world.agenda.add(
            execution.deadline, Rank.EXPIRY, execution.order, execution
        )
