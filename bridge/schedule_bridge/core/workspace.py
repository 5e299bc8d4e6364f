"""A workspace's active executions, and the indexes that answer the gates' questions.

Active executions are sets, never counters. Whatever is not terminal is in `executions` and in
its scope; one with a lock key is in the key's queue while it is queued and is the key's holder
from then on; one on hold is in `holds`; one that has started is in `started`.
"""

from __future__ import annotations

from bisect import insort
from collections import OrderedDict
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

from schedule_bridge.core.model import NO_KEY, Execution, ExecutionId, State

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from schedule_bridge.core.model import LockKey, Scope, WorkspaceId

_place = attrgetter("place")


@dataclass(slots=True)
class Standing:
    """The active executions of one scope, oldest first; at most one of them is queued (R19)."""

    active: dict[ExecutionId, Execution] = field(default_factory=dict)
    queued: Execution | None = None


_IDLE = Standing()
"""Of every scope in which nothing is active."""


@dataclass(slots=True)
class _KeyQueue:
    """Who holds a lock key, and who waits for it in the order of R15."""

    holder: Execution | None = None
    waiting: list[Execution] = field(default_factory=list)


class Workspace:
    """The executions of one workspace; `limit` 0 means that there is none (R16)."""

    __slots__ = (
        "_freed_keys",
        "_freed_scopes",
        "_keys",
        "_scopes",
        "executions",
        "fencing_token",
        "gave_back",
        "hold_order",
        "holds",
        "limit",
        "started",
        "workspace_id",
    )

    def __init__(self, workspace_id: WorkspaceId) -> None:
        self.workspace_id = workspace_id
        self.limit = 0
        self.fencing_token = 0
        self.hold_order = 0
        self.executions: dict[ExecutionId, Execution] = {}
        self.holds: OrderedDict[ExecutionId, Execution] = OrderedDict()
        self.started: dict[ExecutionId, Execution] = {}
        self.gave_back = False
        """Whether there is anything to settle: a scope, a lock key or room was given back (R18)."""
        self._scopes: dict[Scope, Standing] = {}
        self._keys: dict[LockKey, _KeyQueue] = {}
        self._freed_scopes: set[Scope] = set()
        self._freed_keys: set[LockKey] = set()

    # what the gates ask

    def standing_in(self, scope: Scope) -> Standing:
        """What is active in the scope (R3)."""
        return self._scopes.get(scope, _IDLE)

    def active_in(self, scope: Scope) -> Collection[Execution]:
        """The scope's active executions, oldest first (R3)."""
        return self.standing_in(scope).active.values()

    def ahead_for_key(self, execution: Execution) -> Execution | None:
        """Who keeps a queued execution from its lock key: the holder or the first in line (R15)."""
        if execution.lock_key == NO_KEY:
            return None
        queue = self._keys[execution.lock_key]
        first = queue.holder or queue.waiting[0]
        return None if first is execution else first

    def line_for(self, lock_key: LockKey) -> Sequence[Execution]:
        """The queued executions of a lock key in the order in which they get it (R15)."""
        queue = self._keys.get(lock_key)
        return queue.waiting if queue else ()

    def has_room(self) -> bool:
        """Whether one more execution may start as far as the limit goes (R16)."""
        return not self.limit or len(self.started) < self.limit

    # what happens to an execution

    def admit(self, execution: Execution) -> None:
        """Takes in an active execution, whatever its state; oldest first when reading back."""
        self.executions[execution.execution_id] = execution
        standing = self._scopes.setdefault(execution.scope, Standing())
        standing.active[execution.execution_id] = execution
        self._place(execution)

    def move(self, execution: Execution, state: State) -> None:
        """Puts an active execution into another state that is not terminal."""
        self._displace(execution)
        execution.state = state
        self._place(execution)

    def remove(self, execution: Execution) -> None:
        """Takes out an execution that ends, and notes what may go on because of it."""
        self._displace(execution)
        del self.executions[execution.execution_id]
        scope = execution.scope
        standing = self._scopes[scope]
        del standing.active[execution.execution_id]
        if not standing.active:
            del self._scopes[scope]
        self._freed_scopes.add(scope)
        if execution.lock_key != NO_KEY:
            self._freed_keys.add(execution.lock_key)
        self.gave_back = True

    def sort_holds(self) -> None:
        """Restores the order of the holds after reading back, which is not that of creation."""
        by_hold = sorted(self.holds.values(), key=attrgetter("hold_order"))
        self.holds = OrderedDict((execution.execution_id, execution) for execution in by_hold)
        self.hold_order = by_hold[-1].hold_order if by_hold else 0

    def take_movable(self) -> list[Execution]:
        """The queued executions that may go on after what was freed, in the order of R15."""
        movable = {execution.execution_id: execution for execution in self._freed_heads()}
        self._freed_scopes.clear()
        self._freed_keys.clear()
        return sorted(movable.values(), key=_place)

    def _freed_heads(self) -> list[Execution]:
        """Who is alone in a freed scope or first in line for a freed key, and has its key free.

        The first in line is alone in its scope too: all of a scope is for the same key.
        """
        heads = []
        for scope in self._freed_scopes:
            standing = self._scopes.get(scope)
            if standing and standing.queued and len(standing.active) == 1:
                heads.append(standing.queued)
        for key in self._freed_keys:
            queue = self._keys.get(key)
            if queue and queue.waiting:
                heads.append(queue.waiting[0])
        return [head for head in heads if self.ahead_for_key(head) is None]

    def _place(self, execution: Execution) -> None:
        match execution.state:
            case State.QUEUED:
                self._scopes[execution.scope].queued = execution
                if execution.lock_key != NO_KEY:
                    insort(self._key(execution.lock_key).waiting, execution, key=_place)
            case State.ON_HOLD:
                self.holds[execution.execution_id] = execution
                self._hold_key(execution)
            case _:
                self.started[execution.execution_id] = execution
                self._hold_key(execution)

    def _displace(self, execution: Execution) -> None:
        match execution.state:
            case State.QUEUED:
                self._scopes[execution.scope].queued = None
                if execution.lock_key != NO_KEY:
                    self._key(execution.lock_key).waiting.remove(execution)
                    self._forget_unused_key(execution.lock_key)
            case State.ON_HOLD:
                del self.holds[execution.execution_id]
                self._free_key(execution)
            case _:
                del self.started[execution.execution_id]
                self._free_key(execution)

    def _key(self, key: LockKey) -> _KeyQueue:
        return self._keys.setdefault(key, _KeyQueue())

    def _hold_key(self, execution: Execution) -> None:
        if execution.lock_key != NO_KEY:
            self._key(execution.lock_key).holder = execution

    def _free_key(self, execution: Execution) -> None:
        if execution.lock_key != NO_KEY:
            self._keys[execution.lock_key].holder = None
            self._forget_unused_key(execution.lock_key)

    def _forget_unused_key(self, key: LockKey) -> None:
        queue = self._keys[key]
        if queue.holder is None and not queue.waiting:
            del self._keys[key]
