"""The core's objects as the wire shows them; `schemas/` says the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from schedule_bridge.core.model import State
from schedule_bridge.wire.times import format_instant

if TYPE_CHECKING:
    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import (
        Execution,
        Firing,
        Instant,
        Job,
        LockKey,
        Trigger,
        TriggerId,
    )
    from schedule_bridge.core.waiting import WaitsFor
    from schedule_bridge.core.workspace import Workspace
    from schedule_bridge.engine import House
    from schedule_bridge.engine.registration import Registration
    from schedule_bridge.store import MissedStretch, RecentRun, SkipStreak, TriggerPast

Json: TypeAlias = dict[str, Any]

UNKNOWN_POLICY = "unknownPolicy"


def instant(value: Instant | None) -> str | None:
    """RFC 3339 in UTC, or null."""
    return None if value is None else format_instant(value)


def execution_view(execution: Execution, waits_for: WaitsFor | None) -> Json:
    """An Execution."""
    return {
        "executionId": execution.execution_id,
        "triggerId": execution.trigger_id,
        "workflowId": execution.workflow_id,
        "workspaceId": execution.workspace_id,
        "clientId": execution.client_id,
        "lockKey": _key(execution.lock_key),
        "state": execution.state.value,
        "reason": execution.error or execution.reason,
        "terminated": execution.halted,
        "source": execution.source.value,
        "priority": execution.priority,
        "fencingToken": execution.fencing_token,
        "mergedFirings": execution.merged_firings,
        "scheduledAt": instant(execution.scheduled_at),
        "createdAt": instant(execution.created_at),
        "startedAt": instant(execution.started_at),
        "endedAt": instant(execution.ended_at),
        "deadline": instant(execution.deadline),
        "waitsFor": None if waits_for is None else _waits_for_view(waits_for),
    }


def job_view(job: Job, execution: Execution) -> Json:
    """A job, and how the execution stands that it is a piece of."""
    return {
        "jobId": job.job_id,
        "executionId": job.execution_id,
        "name": job.name,
        "state": job.ended_as or ("claimed" if job.claimed else "waiting"),
        "executionState": execution.state.value,
    }


def _waits_for_view(waits_for: WaitsFor) -> Json:
    return {
        "gate": waits_for.gate,
        "position": waits_for.position,
        "lockKey": _key(waits_for.lock_key),
        "executionIds": list(waits_for.execution_ids),
    }


def decision_view(decision: Decision) -> Json:
    """A Decision."""
    return {
        "firingId": decision.firing_id,
        "decision": decision.verdict.value,
        "reason": decision.reason,
        "message": decision.message,
        "triggerId": decision.trigger_id,
        "workflowId": decision.workflow_id,
        "lockKey": _key(decision.lock_key),
        "executionId": decision.execution_id,
        "firedAt": format_instant(decision.fired_at),
        "decidedAt": format_instant(decision.decided_at),
        "activeExecutions": list(decision.in_the_way),
    }


def trigger_view(house: House, trigger_id: TriggerId, past: TriggerPast, now: Instant) -> Json:
    """A trigger's configuration, and how it stands; it is registered."""
    registration = house.memory.registrations[trigger_id]
    trigger = house.machine.world.triggers[trigger_id]
    active = house.machine.world.executions_of(trigger_id)
    last = past.last_decision
    return {
        "triggerId": trigger_id,
        "configuration": dict(registration.raw),
        "nextRun": instant(next_run(registration, trigger, now)),
        "active": [execution.execution_id for execution in active],
        "queued": [e.execution_id for e in active if e.state is State.QUEUED],
        "buffered": [_held_view(firing, None) for firing in trigger.buffered.values()],
        "delayed": [_held_view(held.firing, held.ready_at) for held in trigger.delayed.values()],
        "paused": trigger.paused_since is not None,
        "pausedSince": instant(trigger.paused_since),
        "detached": trigger.detached_since is not None,
        "detachedSince": instant(trigger.detached_since),
        "lastDecision": None if last is None else decision_view(last),
        "counters": past.counters,
        "recentRuns": [_recent_view(run) for run in past.recent_runs],
        "skipping": skipping_view(house.memory.skips.longest(trigger_id)),
        "missed": [missed_view(stretch) for stretch in past.missed],
        "warnings": warnings(registration),
    }


def skipping_view(streak: SkipStreak | None) -> Json | None:
    """How often a trigger has skipped in a row, since when, behind which run."""
    if streak is None:
        return None
    return {
        "count": streak.count,
        "since": format_instant(streak.since),
        "lockKey": _key(streak.lock_key),
        "executionId": streak.execution_id,
    }


def _recent_view(run: RecentRun) -> Json:
    return {
        "executionId": run.execution_id,
        "outcome": run.outcome,
        "startedAt": format_instant(run.started_at),
        "endedAt": format_instant(run.ended_at),
    }


def next_run(registration: Registration, trigger: Trigger, now: Instant) -> Instant | None:
    """When the trigger's schedule comes next; a paused or detached one has no next run.

    A tick that waits for its client lies in the past, and is not what people ask about.
    """
    if trigger.paused_since is not None or trigger.detached_since is not None:
        return None
    return registration.schedule.next_after(now) if registration.parked else registration.next_tick


def warnings(registration: Registration) -> list[str]:
    """What about the configuration a person should know."""
    return [UNKNOWN_POLICY] if registration.config.policy_is_unknown else []


def missed_view(stretch: MissedStretch) -> Json:
    """A missed stretch."""
    return {
        "from": format_instant(stretch.first_tick),
        "to": format_instant(stretch.last_tick),
        "count": stretch.ticks,
        "reason": stretch.reason,
    }


def workspace_view(workspace: Workspace) -> Json:
    """A workspace's limit and what counts against it or waits."""
    starting = sum(e.state is State.PENDING for e in workspace.started.values())
    return {
        "workspaceId": workspace.workspace_id,
        "maxConcurrentExecutions": workspace.limit,
        "running": len(workspace.started) - starting,
        "starting": starting,
        "onHold": len(workspace.holds),
        "queued": len(workspace.executions) - len(workspace.started) - len(workspace.holds),
    }


def _held_view(firing: Firing, ready_at: Instant | None) -> Json:
    return {
        "firingId": firing.firing_id,
        "lockKey": _key(firing.lock_key),
        "scheduledAt": format_instant(firing.scheduled_at),
        "readyAt": instant(ready_at),
        "mergedFirings": firing.merged_firings,
    }


def _key(lock_key: LockKey) -> str | None:
    return lock_key or None
