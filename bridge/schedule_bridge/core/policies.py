"""The six overlap policies, side by side (R4 to R9), and the release of a held firing (R10).

Each answers one question: a firing has come, this is how its scope stands, what now?
None changes anything; the machine applies the plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from schedule_bridge.core.model import Execution, Firing, OverlapPolicy, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


@dataclass(slots=True)
class Situation:
    """How the scope of a firing stands when the firing is judged.

    `active` are the scope's active executions, oldest first; `queued` the one of them that is
    queued, if any; `slot` the firing that the trigger holds for this lock key, if any.
    """

    active: Collection[Execution]
    queued: Execution | None
    slot: Firing | None
    max_concurrent: int


@dataclass(slots=True, frozen=True)
class Proceed:
    """Nothing is in the way: go on to the lock gate."""


@dataclass(slots=True, frozen=True)
class Release:
    """The held firing goes on in place of the current one (R10)."""

    held: Firing


@dataclass(slots=True, frozen=True)
class Skip:
    """The firing does not start."""

    reason: Reason


@dataclass(slots=True, frozen=True)
class Queue:
    """One execution waits until nothing else of its scope is active."""


@dataclass(slots=True, frozen=True)
class Merge:
    """The firing joins the execution that is queued already (R12)."""

    into: Execution


@dataclass(slots=True, frozen=True)
class Hold:
    """The firing is kept in the trigger's slot."""


@dataclass(slots=True, frozen=True)
class Drop:
    """The slot is taken: the firing is dropped."""


@dataclass(slots=True, frozen=True)
class Replace:
    """The active executions end as cancelled, then the firing goes on."""

    cancel_jobs: bool


Plan: TypeAlias = Proceed | Release | Skip | Queue | Merge | Hold | Drop | Replace

PROCEED = Proceed()
QUEUE = Queue()
HOLD = Hold()
DROP = Drop()
SKIP_ACTIVE = Skip(Reason.ACTIVE)
SKIP_MAX_CONCURRENT = Skip(Reason.MAX_CONCURRENT)
REPLACE = Replace(cancel_jobs=False)
REPLACE_WITH_JOBS = Replace(cancel_jobs=True)


def skip(_: Situation) -> Plan:
    """R4: what is active wins."""
    return SKIP_ACTIVE


def queue(situation: Situation) -> Plan:
    """R5: one execution waits; further firings merge into it."""
    return Merge(situation.queued) if situation.queued else QUEUE


def allow(situation: Situation) -> Plan:
    """R6, R13: up to `maxConcurrent` side by side; what is queued already takes the rest."""
    if situation.queued:
        return Merge(situation.queued)
    return PROCEED if len(situation.active) < situation.max_concurrent else SKIP_MAX_CONCURRENT


def buffer(situation: Situation) -> Plan:
    """R7: the first firing is held, further ones are dropped."""
    return HOLD if situation.slot is None else DROP


def cancel(_: Situation) -> Plan:
    """R8: the newest wins."""
    return REPLACE


def terminate(_: Situation) -> Plan:
    """R9: the newest wins, and outstanding jobs are cancelled first."""
    return REPLACE_WITH_JOBS


POLICIES: dict[OverlapPolicy, Callable[[Situation], Plan]] = {
    OverlapPolicy.SKIP: skip,
    OverlapPolicy.QUEUE: queue,
    OverlapPolicy.ALLOW: allow,
    OverlapPolicy.BUFFER: buffer,
    OverlapPolicy.CANCEL: cancel,
    OverlapPolicy.TERMINATE: terminate,
}


def plan(policy: OverlapPolicy, situation: Situation) -> Plan:
    """R3: with nothing active every policy proceeds, a held firing first (R10)."""
    if situation.active:
        return POLICIES[policy](situation)
    return PROCEED if situation.slot is None else Release(situation.slot)
