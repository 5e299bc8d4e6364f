"""What an execution that has not started waits for, for whoever asks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from schedule_bridge.core.gates import NAMED_AT_MOST
from schedule_bridge.core.model import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.model import Execution, ExecutionId, LockKey, WorkspaceId
    from schedule_bridge.core.world import World


@dataclass(slots=True, frozen=True)
class WaitsFor:
    """The gate that keeps an execution, its place there (1 goes next), and who is in the way.

    Of those in the way the oldest are named.
    """

    gate: str
    position: int
    lock_key: LockKey
    execution_ids: tuple[ExecutionId, ...]


class Lines:
    """The lines that executions wait in, at one moment; each is counted once, however many ask."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._places: dict[tuple[WorkspaceId, LockKey | None], dict[ExecutionId, int]] = {}

    def active(self, execution_id: ExecutionId) -> Execution | None:
        """The execution of that id as it stands, unless it has ended."""
        return self._world.executions.get(execution_id)

    def waits_for(self, execution: Execution) -> WaitsFor | None:
        """What holds an execution up, or None when it waits for nothing."""
        workspace = self._world.workspace(execution.workspace_id)
        key = execution.lock_key
        if execution.state is State.ON_HOLD:
            place = self._place(execution, None, workspace.holds.values())
            return WaitsFor("capacity", place, key, ())
        if execution.state is not State.QUEUED:
            return None
        others = (e for e in workspace.active_in(execution.scope) if e is not execution)
        in_the_way = tuple(other.execution_id for other in islice(others, NAMED_AT_MOST))
        if in_the_way:
            return WaitsFor("overlap", 1, key, in_the_way)
        place = self._place(execution, key, workspace.line_for(key))
        ahead = workspace.ahead_for_key(execution)
        return WaitsFor("lock", place, key, () if ahead is None else (ahead.execution_id,))

    def _place(self, execution: Execution, key: LockKey | None, line: Iterable[Execution]) -> int:
        """The place in the line for a lock key, or for capacity where the key is None."""
        places = self._places.get((execution.workspace_id, key))
        if places is None:
            places = {each.execution_id: number for number, each in enumerate(line, start=1)}
            self._places[execution.workspace_id, key] = places
        return places[execution.execution_id]
