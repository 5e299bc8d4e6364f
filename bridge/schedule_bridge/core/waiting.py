"""What an execution that has not started waits for, for whoever asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.core.model import State

if TYPE_CHECKING:
    from schedule_bridge.core.model import Execution, ExecutionId, LockKey
    from schedule_bridge.core.world import World


@dataclass(slots=True, frozen=True)
class WaitsFor:
    """The gate that keeps an execution, its place there (1 goes next), and who is in the way."""

    gate: str
    position: int
    lock_key: LockKey
    execution_ids: tuple[ExecutionId, ...]


def what_it_waits_for(world: World, execution: Execution) -> WaitsFor | None:
    """What holds an execution up, or None when it waits for nothing."""
    workspace = world.workspace(execution.workspace_id)
    if execution.state is State.ON_HOLD:
        position = list(workspace.holds).index(execution.execution_id) + 1
        return WaitsFor("capacity", position, execution.lock_key, ())
    if execution.state is not State.QUEUED:
        return None
    others = [e for e in workspace.active_in(execution.scope) if e is not execution]
    if others:
        ids = tuple(other.execution_id for other in others)
        return WaitsFor("overlap", 1, execution.lock_key, ids)
    line = workspace.line_for(execution.lock_key)
    position = line.index(execution) + 1
    ahead = workspace.ahead_for_key(execution)
    ids = () if ahead is None else (ahead.execution_id,)
    return WaitsFor("lock", position, execution.lock_key, ids)
