"""The six overlap policies, side by side (R4 to R9), and the release of a held firing (R10).

Each answers one question: a firing has come, this is how its scope stands, what now?
None changes anything; the machine applies the plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from schedule_bridge.core.model import Execution, Firing, OverlapPolicy, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedule_bridge.core.workspace import Standing


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


def skip(_standing: Standing, _slot: Firing | None, _most: int) -> Plan:
    """R4: what is active wins."""
    return SKIP_ACTIVE


def queue(standing: Standing, _slot: Firing | None, _most: int) -> Plan:
    """R5: one execution waits; further firings merge into it."""
    return Merge(standing.queued) if standing.queued else QUEUE


def allow(standing: Standing, _slot: Firing | None, most: int) -> Plan:
    """R6, R13: up to `maxConcurrent` side by side; what is queued already takes the rest."""
    if standing.queued:
        return Merge(standing.queued)
    return PROCEED if len(standing.active) < most else SKIP_MAX_CONCURRENT


def buffer(_standing: Standing, slot: Firing | None, _most: int) -> Plan:
    """R7: the first firing is held, further ones are dropped."""
    return HOLD if slot is None else DROP


def cancel(_standing: Standing, _slot: Firing | None, _most: int) -> Plan:
    """R8: the newest wins."""
    return REPLACE


def terminate(_standing: Standing, _slot: Firing | None, _most: int) -> Plan:
    """R9: the newest wins, and outstanding jobs are cancelled first."""
    return REPLACE_WITH_JOBS


POLICIES: dict[OverlapPolicy, Callable[[Standing, Firing | None, int], Plan]] = {
    OverlapPolicy.SKIP: skip,
    OverlapPolicy.QUEUE: queue,
    OverlapPolicy.ALLOW: allow,
    OverlapPolicy.BUFFER: buffer,
    OverlapPolicy.CANCEL: cancel,
    OverlapPolicy.TERMINATE: terminate,
}


def plan(policy: OverlapPolicy, standing: Standing, slot: Firing | None, most: int) -> Plan:
    """R3: with nothing active every policy proceeds, a held firing first (R10).

    `standing` is what is active in the firing's scope, `slot` the firing that the trigger holds
    for its lock key, `most` the trigger's `maxConcurrent`.
    """
    if standing.active:
        return POLICIES[policy](standing, slot, most)
    return PROCEED if slot is None else Release(slot)
