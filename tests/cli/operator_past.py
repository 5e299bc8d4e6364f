"""A past for the store of a bridge. Times are minutes after the start of it, two days ago."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from schedule_bridge.core.decisions import Verdict
from schedule_bridge.core.model import DAY, HOUR, MINUTE, State, TriggerId
from schedule_bridge.store import Batch, MissedStretch
from schedule_bridge.store.rows import execution_row
from schedule_bridge.wire.times import format_instant
from store import samples

if TYPE_CHECKING:
    from schedule_bridge.core.model import Instant

_START = (time.time_ns() // 1000 - 2 * DAY) // HOUR * HOUR


def at(minute: float) -> Instant:
    """That minute of the past."""
    return _START + round(minute * MINUTE)


def text_of(minute: float) -> str:
    """The same as an operator may type it."""
    return format_instant(at(minute)).replace(".000Z", "Z")


class Past:
    """What happened, in the order in which it is told."""

    def __init__(self) -> None:
        self.batch = Batch()

    def trigger(self, trigger_id: str, name: str = "", **configuration: object) -> None:
        body = {"triggerId": trigger_id, "name": name, **configuration}
        workspace = configuration.get("workspaceId", samples.HERE)
        record = samples.trigger(trigger_id, configuration=body, workspace_id=workspace)
        self.batch.triggers[record.trigger_id] = record

    def decision(
        self, trigger_id: str, minute: float, verdict: Verdict, message: str, **other: Any
    ) -> None:
        firing_id = f"f{len(self.batch.decisions)}"
        values = {"trigger_id": trigger_id, "decided_at": at(minute), "message": message, **other}
        decision = samples.decision(firing_id, verdict, **values)
        self.batch.decisions[decision.firing_id] = decision

    def skipped(self, trigger_id: str, minute: float, run: str, message: str) -> None:
        self.decision(
            trigger_id, minute, Verdict.SKIPPED, message, reason="active", in_the_way=(run,)
        )

    def started(self, trigger_id: str, minute: float, run: str, lock_key: str = "") -> None:
        said = f"Started: run {run[:4]}."
        made = {"execution_id": run, "lock_key": lock_key}
        self.decision(trigger_id, minute, Verdict.STARTED, said, **made)

    def run(self, run: str, trigger_id: str, created: float, started: float, ended: float) -> None:
        """A run that completed."""
        execution = samples.execution(
            len(self.batch.executions) + 1,
            execution_id=run,
            trigger_id=trigger_id,
            created_at=at(created),
            started_at=at(started),
            ended_at=at(ended),
            state=State.COMPLETED,
        )
        self.batch.executions[execution.execution_id] = execution_row(execution)

    def missed(self, trigger_id: str, first: float, last: float, ticks: int) -> None:
        """A stretch during which the bridge was down."""
        span = (at(first), at(last), ticks)
        stretch = MissedStretch(TriggerId(trigger_id), samples.HERE, *span, "down", at(last))
        self.batch.missed.append(stretch)
