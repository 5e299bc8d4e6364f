"""The things that the rules speak of, as plain data (overlap.md, section 1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NewType, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedule_bridge.core.agenda import Timer

Instant: TypeAlias = int
"""Microseconds since the Unix epoch, UTC."""
Duration: TypeAlias = int
"""Microseconds."""

SECOND: Duration = 1_000_000
MINUTE: Duration = 60 * SECOND
HOUR: Duration = 60 * MINUTE
DAY: Duration = 24 * HOUR

WorkspaceId = NewType("WorkspaceId", str)
WorkflowId = NewType("WorkflowId", str)
TriggerId = NewType("TriggerId", str)
ExecutionId = NewType("ExecutionId", str)
FiringId = NewType("FiringId", str)
ClientId = NewType("ClientId", str)
JobId = NewType("JobId", str)
LockKey = NewType("LockKey", str)

NO_KEY = LockKey("")
"""The lock key of what works on no named resource; null in the wire format."""


class OverlapPolicy(StrEnum):
    """What a firing does when its scope has an active execution (R4 to R9)."""

    SKIP = "skip"
    QUEUE = "queue"
    ALLOW = "allow"
    BUFFER = "buffer"
    CANCEL = "cancel"
    TERMINATE = "terminate"


class Source(StrEnum):
    """What made a trigger fire."""

    SCHEDULE = "schedule"
    INPUT = "input"
    EVENT = "event"
    MANUAL = "manual"


class State(StrEnum):
    """Where an execution is in its life (overlap.md, section 2)."""

    QUEUED = "queued"
    ON_HOLD = "onHold"
    PENDING = "pending"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    INTERRUPTED = "interrupted"

    @property
    def started(self) -> bool:
        """Pending, running or paused: it counts against the workspace's capacity."""
        return self in STARTED

    @property
    def terminal(self) -> bool:
        """Over, whichever way."""
        return self in TERMINAL


STARTED = frozenset({State.PENDING, State.RUNNING, State.PAUSED})
TERMINAL = frozenset(
    {State.COMPLETED, State.FAILED, State.CANCELLED, State.EXPIRED, State.INTERRUPTED}
)


class Reason(StrEnum):
    """Why a firing did not start or an execution ended otherwise than by its own report."""

    PAUSED = "paused"
    DETACHED = "detached"
    ACTIVE = "active"
    MAX_CONCURRENT = "maxConcurrent"
    BUFFER_FULL = "bufferFull"
    REPLACED = "replaced"
    REMOVED = "removed"
    CANCELLED = "cancelled"
    LOCK_KEY_MISSING = "lockKeyMissing"
    DEADLINE = "deadline"
    UNCLAIMED = "unclaimed"
    RESTARTED = "restarted"
    GONE = "gone"


Scope: TypeAlias = tuple[WorkflowId, LockKey]
"""Where overlap is judged: one workflow and lock key of a workspace (R3)."""


@dataclass(slots=True, frozen=True)
class TriggerConfig:
    """A trigger as it was declared. `policy` is what R11 makes of the declared `overlapPolicy`.

    `on`, `where` and `lock_key_template` say which events fire it and for which key (R27).
    """

    trigger_id: TriggerId
    workflow_id: WorkflowId
    workspace_id: WorkspaceId
    client_id: ClientId | None
    name: str
    schedule: Mapping[str, object] | None
    policy: OverlapPolicy
    policy_is_unknown: bool
    max_concurrent: int
    max_run: Duration
    priority: int
    lock_keys: tuple[LockKey, ...]
    lock_key: LockKey
    delay: Duration
    payload: object
    paused: bool | None
    on: tuple[str, ...] = ()
    where: Mapping[str, object] | bool = True
    lock_key_template: str | None = None


@dataclass(slots=True)
class Firing:
    """One occasion on which a trigger asks to start, for one lock key.

    `key` is the caller's idempotency key (of the newest firing merged into it), None for ticks.
    """

    firing_id: FiringId
    trigger_id: TriggerId
    lock_key: LockKey
    payload: object
    scheduled_at: Instant
    priority: int
    source: Source
    key: str | None = None
    merged_firings: int = 0


@dataclass(slots=True, eq=False)
class DelayedFiring:
    """A firing that waits for its `readyAt`; not an execution, in nobody's way (R2)."""

    firing: Firing
    ready_at: Instant
    order: int
    timer: Timer | None = None


@dataclass(slots=True, eq=False)
class Trigger:
    """A registered trigger, what was done to it, and the firings that it holds by lock key."""

    config: TriggerConfig
    paused_since: Instant | None = None
    detached_since: Instant | None = None
    delayed: dict[LockKey, DelayedFiring] = field(default_factory=dict)
    buffered: dict[LockKey, Firing] = field(default_factory=dict)

    @property
    def trigger_id(self) -> TriggerId:
        """The trigger's name for good."""
        return self.config.trigger_id


@dataclass(slots=True)
class Job:
    """A piece of an execution's work; outstanding until it is finished or cancelled."""

    job_id: JobId
    execution_id: ExecutionId
    order: int
    name: str = ""
    claimed: bool = False
    ended_as: str | None = None


@dataclass(slots=True, eq=False)
class Execution:
    """One run of a workflow.

    `order` is its place in the order of creation, `hold_order` its place among the runs on hold.
    `run_limit` is what R20 gives when the trigger is no longer there to ask.
    """

    execution_id: ExecutionId
    trigger_id: TriggerId
    workflow_id: WorkflowId
    workspace_id: WorkspaceId
    client_id: ClientId | None
    lock_key: LockKey
    firing_id: FiringId
    firing_key: str | None
    source: Source
    priority: int
    payload: object
    scheduled_at: Instant
    created_at: Instant
    order: int
    state: State = State.QUEUED
    reason: str | None = None
    error: str | None = None
    merged_firings: int = 0
    hold_order: int = 0
    fencing_token: int | None = None
    pending_at: Instant | None = None
    started_at: Instant | None = None
    session_id: str | None = None
    deadline: Instant | None = None
    paused_at: Instant | None = None
    ended_at: Instant | None = None
    run_limit: Duration | None = None
    halted: bool = False
    jobs: dict[JobId, Job] = field(default_factory=dict)
    timer: Timer | None = None

    @property
    def scope(self) -> Scope:
        """Where the overlap of this execution is judged; never changes (R14)."""
        return (self.workflow_id, self.lock_key)

    @property
    def place(self) -> tuple[int, int]:
        """Its place in a queue: priority first, then creation (R15)."""
        return (self.priority, self.order)
