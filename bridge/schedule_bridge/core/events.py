"""What happened: one small type each, in the order in which it happened.

They are plain data that nobody changes; they are not frozen because a frozen dataclass costs
three times as much to make and these stand on the hot path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.core.model import (
        Execution,
        Firing,
        FiringId,
        Instant,
        Job,
        Reason,
        State,
        Trigger,
        TriggerId,
        WorkspaceId,
    )


@dataclass(slots=True)
class FiringSkipped:
    """The firing did not start; `in_the_way` are the active executions of its scope."""

    at: Instant
    firing: Firing
    reason: Reason
    in_the_way: Sequence[Execution]


@dataclass(slots=True)
class FiringDelayed:
    """The firing is held until `ready_at` (R2)."""

    at: Instant
    firing: Firing
    ready_at: Instant


@dataclass(slots=True)
class FiringMerged:
    """The firing joined a queued execution, or a delayed firing when `execution` is None (R12).

    `cut` says that the older payload was let go, since both together were too large.
    """

    at: Instant
    firing: Firing
    execution: Execution | None
    into: FiringId
    cut: bool = False


@dataclass(slots=True)
class FiringQueued:
    """A new execution waits behind its scope (R5)."""

    at: Instant
    firing: Firing
    execution: Execution
    in_the_way: Sequence[Execution]


@dataclass(slots=True)
class FiringBuffered:
    """The firing is held in the trigger's slot (R7)."""

    at: Instant
    firing: Firing
    in_the_way: Sequence[Execution]


@dataclass(slots=True)
class FiringDropped:
    """The firing is gone: the slot was taken, another took its place, its trigger was removed."""

    at: Instant
    firing: Firing
    reason: Reason
    in_the_way: Sequence[Execution]


@dataclass(slots=True)
class FiringReleased:
    """The held firing goes on in place of the one that came now (R10)."""

    at: Instant
    firing: Firing


@dataclass(slots=True)
class FiringReady:
    """The delay of a firing is over (R2)."""

    at: Instant
    firing: Firing


@dataclass(slots=True)
class ExecutionWaiting:
    """A proceeding execution is queued for its lock key, which `ahead` has or gets first (R15)."""

    at: Instant
    execution: Execution
    ahead: Execution


@dataclass(slots=True)
class ExecutionOnHold:
    """The execution waits for workspace capacity, holding its lock key (R16)."""

    at: Instant
    execution: Execution


@dataclass(slots=True)
class ExecutionStarted:
    """The execution is pending: to be claimed by its client (R17).

    `payload` is what it starts with; the execution's own goes with its end, which can come
    within the same command, when another key of the same firing cancels it (R26, R8).
    """

    at: Instant
    execution: Execution
    payload: object


@dataclass(slots=True)
class ExecutionClaimed:
    """The claim is granted: the execution is running and has its deadline (R17, R20)."""

    at: Instant
    execution: Execution


@dataclass(slots=True)
class ExecutionPaused:
    """The deadline stands still (R22)."""

    at: Instant
    execution: Execution


@dataclass(slots=True)
class ExecutionResumed:
    """The deadline has moved by the time paused (R22)."""

    at: Instant
    execution: Execution


@dataclass(slots=True)
class OwnerChanged:
    """An execution that nobody has claimed yet has another client now (R14)."""

    at: Instant
    execution: Execution


@dataclass(slots=True)
class RunLimitKept:
    """An execution that nobody has claimed yet remembers its run limit: its trigger goes (R20)."""

    at: Instant
    execution: Execution


@dataclass(slots=True)
class DeadlineMoved:
    """The deadline has moved along with a leap of the clock."""

    at: Instant
    execution: Execution


@dataclass(slots=True)
class DelayMoved:
    """The end of a delay has moved along with a leap of the clock."""

    at: Instant
    firing: Firing


@dataclass(slots=True)
class ExecutionEnded:
    """The execution is over; `was` is the state that it ended from."""

    at: Instant
    execution: Execution
    was: State


@dataclass(slots=True)
class JobChanged:
    """A job was added, claimed or finished."""

    at: Instant
    job: Job
    execution: Execution


@dataclass(slots=True)
class JobCancelled:
    """An outstanding job was cancelled by `terminate` (R9)."""

    at: Instant
    job: Job
    execution: Execution


@dataclass(slots=True)
class TriggerChanged:
    """A trigger was set, paused, resumed, detached or attached."""

    at: Instant
    trigger: Trigger


@dataclass(slots=True)
class TriggerRemoved:
    """A trigger is gone, with what it held (R14)."""

    at: Instant
    trigger_id: TriggerId


@dataclass(slots=True)
class WorkspaceChanged:
    """A workspace has another limit (R16)."""

    at: Instant
    workspace_id: WorkspaceId


Event: TypeAlias = (
    FiringSkipped
    | FiringDelayed
    | FiringMerged
    | FiringQueued
    | FiringBuffered
    | FiringDropped
    | FiringReleased
    | FiringReady
    | ExecutionWaiting
    | ExecutionOnHold
    | ExecutionStarted
    | ExecutionClaimed
    | ExecutionPaused
    | ExecutionResumed
    | OwnerChanged
    | RunLimitKept
    | DeadlineMoved
    | DelayMoved
    | ExecutionEnded
    | JobChanged
    | JobCancelled
    | TriggerChanged
    | TriggerRemoved
    | WorkspaceChanged
)
