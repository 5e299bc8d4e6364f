"""How an execution ends. The first end wins; what it held is free from that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.events import Event, ExecutionEnded, JobCancelled
from schedule_bridge.core.model import Reason, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.core.model import DelayedFiring, Execution, Instant, Job
    from schedule_bridge.core.world import World


def end(
    world: World,
    execution: Execution,
    state: State,
    now: Instant,
    events: list[Event],
    *,
    reason: Reason | None = None,
) -> None:
    """Ends an active execution. Its payload goes with it; settling is left to the caller."""
    was = execution.state
    world.drop(execution)
    disarm(execution)
    execution.state = state
    execution.reason = reason
    execution.ended_at = now
    execution.payload = None
    events.append(ExecutionEnded(now, execution, was))


def cancel(
    world: World,
    executions: Sequence[Execution],
    now: Instant,
    events: list[Event],
    *,
    halt: bool,
    reason: Reason = Reason.CANCELLED,
) -> None:
    """R8, R9: ends executions as cancelled, oldest first; with `halt` all their jobs first."""
    if halt:
        for execution in executions:
            cancel_jobs(execution, now, events)
    for execution in executions:
        execution.halted = halt
        end(world, execution, State.CANCELLED, now, events, reason=reason)


def cancel_jobs(execution: Execution, now: Instant, events: list[Event]) -> None:
    """R9: cancels the outstanding jobs of an execution in the order of their creation."""
    for job in execution.jobs.values():
        if is_outstanding(job):
            job.ended_as = "cancelled"
            events.append(JobCancelled(now, job, execution))


def is_outstanding(job: Job) -> bool:
    """A job is outstanding from its creation until it is finished or cancelled."""
    return job.ended_as is None


def disarm(waiting: Execution | DelayedFiring) -> None:
    """Takes the timer of a deadline or a delay off the agenda."""
    if waiting.timer is not None:
        waiting.timer.disarm()
        waiting.timer = None
