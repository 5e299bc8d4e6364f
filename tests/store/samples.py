"""Things to store, as plain as can be."""

from __future__ import annotations

from typing import Any

from schedule_bridge.core.decisions import Decision, Verdict
from schedule_bridge.core.model import (
    NO_KEY,
    Execution,
    ExecutionId,
    Firing,
    FiringId,
    Source,
    TriggerId,
    WorkflowId,
    WorkspaceId,
)
from schedule_bridge.store import Batch, IdempotentAnswer, MissedStretch, Store, TriggerRecord
from schedule_bridge.store.payloads import pack_value
from schedule_bridge.store.rows import execution_row

HERE = WorkspaceId("default")


def execution(number: int, **other: Any) -> Execution:
    """The execution with that place in the order of creation."""
    values: dict[str, Any] = {
        "execution_id": ExecutionId(f"run{number}"),
        "trigger_id": TriggerId("t"),
        "workflow_id": WorkflowId("w"),
        "workspace_id": HERE,
        "client_id": None,
        "lock_key": NO_KEY,
        "firing_id": FiringId(f"f{number}"),
        "firing_key": None,
        "source": Source.MANUAL,
        "priority": 5,
        "payload": None,
        "scheduled_at": number,
        "created_at": number,
        "order": number,
    }
    return Execution(**{**values, **other})


def executions(*given: Execution) -> Batch:
    return Batch(executions={each.execution_id: execution_row(each) for each in given})


def decision(firing_id: str, verdict: Verdict = Verdict.STARTED, **other: Any) -> Decision:
    values: dict[str, Any] = {
        "firing_id": FiringId(firing_id),
        "verdict": verdict,
        "reason": None,
        "message": f"{verdict}.",
        "trigger_id": TriggerId("t"),
        "workflow_id": WorkflowId("w"),
        "workspace_id": HERE,
        "lock_key": NO_KEY,
        "execution_id": None,
        "decided_at": 0,
        "fired_at": 0,
    }
    return Decision(**{**values, **other})


def decisions(*given: Decision, clock: int = 0) -> Batch:
    return Batch(clock=clock, decisions={each.firing_id: each for each in given})


def firing(number: int, **other: Any) -> Firing:
    values: dict[str, Any] = {
        "firing_id": FiringId(f"f{number}"),
        "trigger_id": TriggerId("t"),
        "lock_key": NO_KEY,
        "payload": None,
        "scheduled_at": number,
        "priority": 5,
        "source": Source.MANUAL,
    }
    return Firing(**{**values, **other})


def trigger(trigger_id: str = "t", **other: Any) -> TriggerRecord:
    """A record; `configuration` is the body as it was declared."""
    body = other.pop("configuration", {"triggerId": trigger_id})
    values: dict[str, Any] = {
        "trigger_id": TriggerId(trigger_id),
        "workspace_id": HERE,
        "client_id": None,
        "configuration": pack_value(body),
        "paused_since": None,
        "detached_since": None,
        "anchor": 0,
        "next_tick": None,
        "zone_data": None,
    }
    return TriggerRecord(**{**values, **other})


def triggers(*given: TriggerRecord) -> Batch:
    return Batch(triggers={each.trigger_id: each for each in given})


def stretch(number: int) -> MissedStretch:
    return MissedStretch(TriggerId("t"), HERE, number, number + 1, 2, "late", number)


async def missed_of(store: Store, trigger_id: TriggerId, limit: int) -> list[MissedStretch]:
    """The latest missed stretches of a trigger."""
    return (await store.pasts([trigger_id], runs=0, missed=limit))[trigger_id].missed


async def counters_of(store: Store, trigger_id: TriggerId) -> dict[str, int]:
    return (await store.pasts([trigger_id], runs=0, missed=0))[trigger_id].counters


def answer(key: str, at: int, workspace: str = HERE) -> IdempotentAnswer:
    return IdempotentAnswer(WorkspaceId(workspace), key, b"body", b"said", at)
