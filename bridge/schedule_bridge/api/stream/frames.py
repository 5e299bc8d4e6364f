"""The bridge's frames as values; `schemas/frame-*.json` say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from schedule_bridge.api.context import PROTOCOL
from schedule_bridge.api.views import decision_view, instant
from schedule_bridge.core.model import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import Execution, ExecutionId

Frame: TypeAlias = dict[str, Any]

UNKNOWN = "unknown"

_UNKNOWN_END: Frame = {
    "triggerId": None,
    "outcome": State.INTERRUPTED.value,
    "reason": UNKNOWN,
    "halt": False,
}


def hello(version: str) -> Frame:
    """The first frame of each side."""
    return {"type": "hello", "protocol": PROTOCOL, "version": version}


def offer(execution: Execution) -> Frame:
    """A start that the client may claim."""
    return {
        "type": "execution.start",
        "executionId": execution.execution_id,
        "triggerId": execution.trigger_id,
        "workflowId": execution.workflow_id,
        "workspaceId": execution.workspace_id,
        "lockKey": execution.lock_key or None,
        "scheduledAt": instant(execution.scheduled_at),
        "source": execution.source.value,
        "payload": execution.payload,
        "fencingToken": execution.fencing_token,
        "mergedFirings": execution.merged_firings,
        "firingKey": execution.firing_key,
    }


def ended(execution_id: ExecutionId, execution: Execution | None) -> Frame:
    """An execution ended otherwise than by the client's own report."""
    return {
        "type": "execution.ended",
        "executionId": execution_id,
        **(_UNKNOWN_END if execution is None else _end_of(execution)),
    }


def _end_of(execution: Execution) -> Frame:
    return {
        "triggerId": execution.trigger_id,
        "outcome": execution.state.value,
        "reason": execution.reason,
        "halt": execution.halted,
    }


def decision(made: Decision) -> Frame:
    """What came of a firing."""
    return {"type": "decision", "decision": decision_view(made)}


def here_reply(re: object, detached: Sequence[str], invalid: Sequence[Frame]) -> Frame:
    """The answer to `here`."""
    return {"type": "reply", "re": re, "detached": list(detached), "invalid": list(invalid)}


def confirmed(re: object, execution: Execution) -> Frame:
    """The answer to a claim that was granted."""
    return {
        "type": "reply",
        "re": re,
        "confirmed": True,
        "startedAt": instant(execution.started_at),
        "deadline": instant(execution.deadline),
    }


def refused(re: object, reason: str) -> Frame:
    """The answer to a claim that was not granted."""
    return {"type": "reply", "re": re, "refused": True, "reason": reason}


def finished_reply(re: object, ignored: str | None) -> Frame:
    """The answer to `finished`."""
    frame: Frame = {"type": "reply", "re": re, "ignored": ignored is not None}
    if ignored is not None:
        frame["reason"] = ignored
    return frame
