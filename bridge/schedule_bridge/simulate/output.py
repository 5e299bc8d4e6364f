"""What the simulator prints: one object per thing that happened (simulate.md, "Output")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from schedule_bridge.core import events
from schedule_bridge.core.model import SECOND, Reason

if TYPE_CHECKING:
    from schedule_bridge.core.model import Execution, Instant

Printed: TypeAlias = dict[str, Any]


def seconds_since(start: Instant, instant: Instant) -> float | int:
    """Seconds after the start: an integer where they are whole."""
    passed = instant - start
    return passed // SECOND if passed % SECOND == 0 else passed / SECOND


def describe(event: events.Event, start: Instant) -> Printed | None:
    """The object for an event, or None for those that the simulator does not print."""
    fields = _fields(event, start)
    if fields is None:
        return None
    return {"at": seconds_since(start, event.at), **fields}


def _fields(event: events.Event, start: Instant) -> Printed | None:  # noqa: C901, PLR0911, PLR0912 - a table
    match event:
        case events.FiringSkipped(firing=firing, reason=reason):
            return _firing("skipped", firing.trigger_id, reason=reason.value)
        case events.FiringDelayed(firing=firing, ready_at=ready_at):
            return _firing("delayed", firing.trigger_id, readyAt=seconds_since(start, ready_at))
        case events.FiringQueued(firing=firing, execution=execution):
            return _firing("queued", firing.trigger_id, executionId=execution.execution_id)
        case events.FiringMerged(firing=firing, execution=None):
            return _firing("merged", firing.trigger_id)
        case events.FiringMerged(firing=firing, execution=execution) if execution:
            return _firing("merged", firing.trigger_id, executionId=execution.execution_id)
        case events.FiringBuffered(firing=firing):
            return _firing("buffered", firing.trigger_id)
        case events.FiringDropped(firing=firing, reason=Reason.BUFFER_FULL):
            return _firing("dropped", firing.trigger_id, reason=Reason.BUFFER_FULL.value)
        case events.FiringReleased(firing=firing):
            return _firing("released", firing.trigger_id)
        case events.ExecutionWaiting(execution=execution):
            return _execution("waiting", execution, lockKey=execution.lock_key)
        case events.ExecutionOnHold(execution=execution):
            return _execution("onHold", execution)
        case events.ExecutionStarted(execution=execution, payload=payload):
            return _execution("started", execution, payload=payload)
        case events.ExecutionEnded(execution=execution):
            return _execution(execution.state.value, execution)
        case events.JobCancelled(job=job):
            return {
                "event": "job.cancelled",
                "jobId": job.job_id,
                "executionId": job.execution_id,
            }
        case _:
            return None


def _firing(what: str, trigger_id: str, **fields: object) -> Printed:
    return {"event": f"firing.{what}", "triggerId": trigger_id, **fields}


def _execution(what: str, execution: Execution, **fields: object) -> Printed:
    return {
        "event": f"execution.{what}",
        "triggerId": execution.trigger_id,
        "executionId": execution.execution_id,
        **fields,
    }
