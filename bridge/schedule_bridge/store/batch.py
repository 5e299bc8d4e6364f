"""One commit's worth of changes, as plain values that may cross to the store's thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sized

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import (
        ClientId,
        ExecutionId,
        FiringId,
        Instant,
        JobId,
        LockKey,
        TriggerId,
        WorkspaceId,
    )

Row: TypeAlias = tuple[Any, ...]

_FEW_ROWS = 896
"""What takes a store some seven milliseconds to write, without the commit."""


@dataclass(slots=True)
class TriggerRecord:
    """A trigger as the store keeps it; `configuration` is the declared body, packed.

    `anchor` is the instant of the first registration of its schedule (R23), `next_tick` the
    first tick that is not decided yet, `zone_data` the version of the zone data by which that
    was computed, None if nobody has noted it.
    """

    trigger_id: TriggerId
    workspace_id: WorkspaceId
    client_id: ClientId | None
    configuration: bytes
    paused_since: Instant | None
    detached_since: Instant | None
    anchor: Instant
    next_tick: Instant | None
    zone_data: str | None


@dataclass(slots=True, frozen=True)
class MissedStretch:
    """Ticks that did not become firings (R24)."""

    trigger_id: TriggerId
    workspace_id: WorkspaceId
    first_tick: Instant
    last_tick: Instant
    ticks: int
    reason: str
    recorded_at: Instant


@dataclass(slots=True, frozen=True)
class IdempotentAnswer:
    """The answer to a request that named itself; `fingerprint` tells another body from the same."""

    workspace_id: WorkspaceId
    key: str
    fingerprint: bytes
    answer: bytes
    answered_at: Instant


@dataclass(slots=True)
class SkipStreak:
    """Firings of a trigger that were skipped one after the other, behind one run."""

    trigger_id: TriggerId
    lock_key: LockKey
    execution_id: ExecutionId
    count: int
    since: Instant


@dataclass(slots=True, frozen=True)
class RecentRun:
    """A run that has ended, in short."""

    execution_id: ExecutionId
    outcome: str
    started_at: Instant
    ended_at: Instant


@dataclass(slots=True)
class Batch:
    """What one commit writes. Later values of one row replace earlier ones."""

    clock: Instant = 0
    workspaces: dict[WorkspaceId, Row] = field(default_factory=dict)
    triggers: dict[TriggerId, TriggerRecord | None] = field(default_factory=dict)
    next_ticks: dict[TriggerId, Instant | None] = field(default_factory=dict)
    held: dict[tuple[TriggerId, LockKey, str], Row | None] = field(default_factory=dict)
    executions: dict[ExecutionId, Row] = field(default_factory=dict)
    jobs: dict[tuple[ExecutionId, JobId], Row] = field(default_factory=dict)
    decisions: dict[FiringId, Decision] = field(default_factory=dict)
    dropped_with: list[tuple[FiringId, str, str, Instant]] = field(default_factory=list)
    missed: list[MissedStretch] = field(default_factory=list)
    answers: list[IdempotentAnswer] = field(default_factory=list)
    forgotten: set[tuple[WorkspaceId, str]] = field(default_factory=set)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to commit."""
        return not (self.decisions or any(self._parts()))  # nearly every batch has some

    @property
    def rows(self) -> int:
        """How many rows it changes."""
        return sum(map(len, self._parts()))

    @property
    def is_large(self) -> bool:
        """Whether writing it would keep a loop from its other work for too long."""
        return self.rows > _FEW_ROWS

    def _parts(self) -> tuple[Sized, ...]:
        return (
            *(self.workspaces, self.triggers, self.next_ticks, self.held, self.executions),
            *(self.jobs, self.decisions, self.dropped_with, self.missed, self.answers),
            self.forgotten,
        )

    def set_next_tick(self, trigger_id: TriggerId, instant: Instant | None) -> None:
        """Notes the first undecided tick of a trigger, in its row where that is written too."""
        record = self.triggers.get(trigger_id)
        if record is not None:
            record.next_tick = instant
        else:
            self.next_ticks[trigger_id] = instant
