"""Between the core's objects and rows of the store; the one place that knows the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from schedule_bridge.core.decisions import Decision, Verdict
from schedule_bridge.core.model import DelayedFiring, Execution, Firing, Job, Source, State
from schedule_bridge.store.batch import MissedStretch, TriggerRecord
from schedule_bridge.store.payloads import check_object, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedule_bridge.core.workspace import Workspace
    from schedule_bridge.store.batch import IdempotentAnswer, Row

EXECUTION_COLUMNS = (
    "execution_id",
    "trigger_id",
    "workflow_id",
    "workspace_id",
    "client_id",
    "lock_key",
    "firing_id",
    "firing_key",
    "source",
    "priority",
    "payload",
    "scheduled_at",
    "created_at",
    "creation_order",
    "state",
    "reason",
    "error",
    "merged_firings",
    "hold_order",
    "fencing_token",
    "pending_at",
    "started_at",
    "session_id",
    "deadline",
    "paused_at",
    "ended_at",
    "run_limit",
    "halted",
)

_EXECUTION_KEEPS = (
    *("execution_id", "trigger_id", "workflow_id", "workspace_id", "lock_key", "firing_id"),
    *("source", "priority", "created_at", "creation_order"),
)
EXECUTION_CHANGES = tuple(
    column for column in EXECUTION_COLUMNS if column not in (*_EXECUTION_KEEPS, "ended_at")
)
"""Columns that may become others while the execution is active; `ended_at` does at its end."""

DECISION_COLUMNS = (
    "firing_id",
    "verdict",
    "reason",
    "message",
    "trigger_id",
    "workflow_id",
    "workspace_id",
    "lock_key",
    "execution_id",
    "decided_at",
    "fired_at",
    "in_the_way",
    "merged_into",
)

TRIGGER_COLUMNS = (
    "trigger_id",
    "workspace_id",
    "client_id",
    "configuration",
    "paused_since",
    "detached_since",
    "anchor",
    "next_tick",
    "zone_data",
)

JOB_COLUMNS = ("execution_id", "job_id", "creation_order", "name", "claimed", "ended_as")

MISSED_COLUMNS = (
    "trigger_id",
    "workspace_id",
    "first_tick",
    "last_tick",
    "ticks",
    "reason",
    "recorded_at",
)

ANSWER_COLUMNS = ("workspace_id", "key", "fingerprint", "answer", "answered_at")

HELD_COLUMNS = (
    "trigger_id",
    "lock_key",
    "kind",
    "firing_id",
    "firing_key",
    "source",
    "priority",
    "payload",
    "scheduled_at",
    "merged_firings",
    "ready_at",
    "creation_order",
)

DELAYED = "delayed"
BUFFERED = "buffered"

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)
"""What reading a row raises that no bridge has written."""


def workspace_row(workspace: Workspace) -> Row:
    """A row of `workspaces`."""
    return (workspace.workspace_id, workspace.limit, workspace.fencing_token)


def execution_row(execution: Execution) -> Row:
    """A row of `executions`, in the order of EXECUTION_COLUMNS."""
    return (
        execution.execution_id,
        execution.trigger_id,
        execution.workflow_id,
        execution.workspace_id,
        execution.client_id,
        execution.lock_key,
        execution.firing_id,
        execution.firing_key,
        execution.source.value,
        execution.priority,
        pack(execution.payload),
        execution.scheduled_at,
        execution.created_at,
        execution.order,
        execution.state.value,
        execution.reason,
        execution.error,
        execution.merged_firings,
        execution.hold_order,
        execution.fencing_token,
        execution.pending_at,
        execution.started_at,
        execution.session_id,
        execution.deadline,
        execution.paused_at,
        execution.ended_at,
        execution.run_limit,
        int(execution.halted),
    )


def read_execution(row: Mapping[str, Any]) -> Execution:
    """The execution that a row of EXECUTION_COLUMNS holds."""
    return Execution(
        execution_id=row["execution_id"],
        trigger_id=row["trigger_id"],
        workflow_id=row["workflow_id"],
        workspace_id=row["workspace_id"],
        client_id=row["client_id"],
        lock_key=row["lock_key"],
        firing_id=row["firing_id"],
        firing_key=row["firing_key"],
        source=Source(row["source"]),
        priority=row["priority"],
        payload=unpack(row["payload"]),
        scheduled_at=row["scheduled_at"],
        created_at=row["created_at"],
        order=row["creation_order"],
        state=State(row["state"]),
        reason=row["reason"],
        error=row["error"],
        merged_firings=row["merged_firings"],
        hold_order=row["hold_order"],
        fencing_token=row["fencing_token"],
        pending_at=row["pending_at"],
        started_at=row["started_at"],
        session_id=row["session_id"],
        deadline=row["deadline"],
        paused_at=row["paused_at"],
        ended_at=row["ended_at"],
        run_limit=row["run_limit"],
        halted=bool(row["halted"]),
    )


def job_row(job: Job) -> Row:
    """A row of `jobs`."""
    return (job.execution_id, job.job_id, job.order, job.name, int(job.claimed), job.ended_as)


def read_job(row: Mapping[str, Any]) -> Job:
    """The job that a row of `jobs` holds."""
    return Job(
        job_id=row["job_id"],
        execution_id=row["execution_id"],
        order=row["creation_order"],
        name=row["name"],
        claimed=bool(row["claimed"]),
        ended_as=row["ended_as"],
    )


def delayed_row(held: DelayedFiring) -> Row:
    """A row of `held_firings` for a delayed firing."""
    return _held_row(held.firing, DELAYED, held.ready_at, held.order)


def buffered_row(firing: Firing) -> Row:
    """A row of `held_firings` for a firing in its slot."""
    return _held_row(firing, BUFFERED, None, 0)


def _held_row(firing: Firing, kind: str, ready_at: int | None, order: int) -> Row:
    return (
        firing.trigger_id,
        firing.lock_key,
        kind,
        firing.firing_id,
        firing.key,
        firing.source.value,
        firing.priority,
        pack(firing.payload),
        firing.scheduled_at,
        firing.merged_firings,
        ready_at,
        order,
    )


def read_firing(row: Mapping[str, Any]) -> Firing:
    """The firing that a row of HELD_COLUMNS holds."""
    return Firing(
        firing_id=row["firing_id"],
        trigger_id=row["trigger_id"],
        lock_key=row["lock_key"],
        payload=unpack(row["payload"]),
        scheduled_at=row["scheduled_at"],
        priority=row["priority"],
        source=Source(row["source"]),
        key=row["firing_key"],
        merged_firings=row["merged_firings"],
    )


def read_delayed(row: Mapping[str, Any]) -> DelayedFiring:
    """The delayed firing that a row of HELD_COLUMNS holds."""
    return DelayedFiring(read_firing(row), row["ready_at"], row["creation_order"])


def trigger_row(record: TriggerRecord) -> Row:
    """A row of `triggers`."""
    return (
        record.trigger_id,
        record.workspace_id,
        record.client_id,
        record.configuration,
        record.paused_since,
        record.detached_since,
        record.anchor,
        record.next_tick,
        record.zone_data,
    )


def read_trigger(row: Mapping[str, Any]) -> TriggerRecord:
    """The record that a row of `triggers` holds."""
    check_object(row["configuration"])  # what is damaged is seen now, not when it is needed
    return TriggerRecord(
        trigger_id=row["trigger_id"],
        workspace_id=row["workspace_id"],
        client_id=row["client_id"],
        configuration=row["configuration"],
        paused_since=row["paused_since"],
        detached_since=row["detached_since"],
        anchor=row["anchor"],
        next_tick=row["next_tick"],
        zone_data=row["zone_data"],
    )


def decision_row(decision: Decision) -> Row:
    """A row of `decisions`, in the order of DECISION_COLUMNS."""
    return (
        decision.firing_id,
        decision.verdict.value,
        decision.reason,
        decision.message,
        decision.trigger_id,
        decision.workflow_id,
        decision.workspace_id,
        decision.lock_key,
        decision.execution_id,
        decision.decided_at,
        decision.fired_at,
        orjson.dumps(decision.in_the_way).decode(),
        decision.merged_into,
    )


def read_decision(row: Mapping[str, Any]) -> Decision:
    """The decision that a row of DECISION_COLUMNS holds."""
    return Decision(
        firing_id=row["firing_id"],
        verdict=Verdict(row["verdict"]),
        reason=row["reason"],
        message=row["message"],
        trigger_id=row["trigger_id"],
        workflow_id=row["workflow_id"],
        workspace_id=row["workspace_id"],
        lock_key=row["lock_key"],
        execution_id=row["execution_id"],
        decided_at=row["decided_at"],
        fired_at=row["fired_at"],
        in_the_way=tuple(orjson.loads(row["in_the_way"])),
        merged_into=row["merged_into"],
    )


def missed_row(stretch: MissedStretch) -> Row:
    """A row of `missed_stretches`."""
    return (
        stretch.trigger_id,
        stretch.workspace_id,
        stretch.first_tick,
        stretch.last_tick,
        stretch.ticks,
        stretch.reason,
        stretch.recorded_at,
    )


def read_missed(row: Mapping[str, Any]) -> MissedStretch:
    """The stretch that a row of `missed_stretches` holds."""
    return MissedStretch(
        trigger_id=row["trigger_id"],
        workspace_id=row["workspace_id"],
        first_tick=row["first_tick"],
        last_tick=row["last_tick"],
        ticks=row["ticks"],
        reason=row["reason"],
        recorded_at=row["recorded_at"],
    )


def answer_row(answer: IdempotentAnswer) -> Row:
    """A row of `idempotency_keys`."""
    return (
        answer.workspace_id,
        answer.key,
        answer.fingerprint,
        answer.answer,
        answer.answered_at,
    )
