"""What must hold after every command, found by scanning the executions and nothing else."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from schedule_bridge.core.model import NO_KEY, STARTED, DelayedFiring, Execution, State

if TYPE_CHECKING:
    from schedule_bridge.core.model import ExecutionId, LockKey, Scope, TriggerId
    from schedule_bridge.core.workspace import Workspace
    from schedule_bridge.core.world import World


def check(world: World) -> None:
    """Raises AssertionError for the first thing that is wrong."""
    _every_execution_is_where_it_belongs(world)
    _timers_agree(world)
    for workspace in world.workspaces.values():
        check_workspace(workspace)


def check_workspace(workspace: Workspace) -> None:
    """The part of `check` that is about one workspace."""
    _sets_agree(workspace)
    _scopes_agree(workspace)
    _keys_agree(workspace)
    _nothing_waits_that_could_go_on(workspace)


def _every_execution_is_where_it_belongs(world: World) -> None:
    by_workspace: dict[str, list[ExecutionId]] = {name: [] for name in world.workspaces}
    by_trigger: dict[TriggerId, list[ExecutionId]] = defaultdict(list)
    for execution in world.executions.values():
        assert not execution.state.terminal
        by_workspace[execution.workspace_id].append(execution.execution_id)
        by_trigger[execution.trigger_id].append(execution.execution_id)
    assert by_workspace == {name: list(w.executions) for name, w in world.workspaces.items()}
    assert by_trigger == {name: list(found) for name, found in world._by_trigger.items()}


def _timers_agree(world: World) -> None:
    living = list(world.agenda.armed())
    deadlines = {
        timer.target.execution_id: timer.instant
        for timer in living
        if isinstance(timer.target, Execution)
    }
    ready = {
        (timer.target.firing.trigger_id, timer.target.firing.lock_key)
        for timer in living
        if isinstance(timer.target, DelayedFiring)
    }
    running = [run for run in world.executions.values() if run.state is State.RUNNING]
    assert deadlines == {run.execution_id: run.deadline for run in running}
    assert ready <= {(t.trigger_id, key) for t in world.triggers.values() for key in t.delayed}
    assert ready >= {
        (t.trigger_id, key)
        for t in world.triggers.values()
        for key in t.delayed
        if t.detached_since is None
    }


def _sets_agree(workspace: Workspace) -> None:
    runs = workspace.executions.values()
    assert set(workspace.started) == {r.execution_id for r in runs if r.state in STARTED}
    held = sorted((r for r in runs if r.state is State.ON_HOLD), key=lambda run: run.hold_order)
    assert list(workspace.holds.values()) == held


def _scopes_agree(workspace: Workspace) -> None:
    scopes: dict[Scope, list[Execution]] = defaultdict(list)
    for run in workspace.executions.values():
        scopes[run.scope].append(run)
    assert scopes == {s: list(members.active.values()) for s, members in workspace._scopes.items()}
    for scope, runs in scopes.items():
        queued = [run for run in runs if run.state is State.QUEUED]
        assert len(queued) <= 1, f"more than one queued execution in {scope} (R19)"
        standing = workspace.standing_in(scope)
        assert standing.queued is (queued[0] if queued else None)


def _keys_agree(workspace: Workspace) -> None:
    keys: dict[LockKey, list[Execution]] = defaultdict(list)
    for run in workspace.executions.values():
        if run.lock_key != NO_KEY:
            keys[run.lock_key].append(run)
    assert set(keys) == set(workspace._keys)
    for key, runs in keys.items():
        holders = [run for run in runs if run.state is not State.QUEUED]
        assert len(holders) <= 1, f"the lock key {key} is held twice (R15)"
        queue = workspace._keys[key]
        assert queue.holder is (holders[0] if holders else None)
        waiting = sorted((r for r in runs if r.state is State.QUEUED), key=lambda run: run.place)
        assert queue.waiting == waiting


def _nothing_waits_that_could_go_on(workspace: Workspace) -> None:
    started = [run for run in workspace.executions.values() if run.state in STARTED]
    room = not workspace.limit or len(started) < workspace.limit
    assert not (workspace.holds and room), "a run is on hold though there is room (R16)"
    for run in workspace.executions.values():
        if run.state is State.QUEUED:
            assert not _may_go_on(workspace, run), f"{run.execution_id} waits for nothing (R18)"


def _may_go_on(workspace: Workspace, queued: Execution) -> bool:
    others = [run for run in workspace.executions.values() if run is not queued]
    if any(run.scope == queued.scope for run in others):
        return False
    rivals = [run for run in others if queued.lock_key and run.lock_key == queued.lock_key]
    return all(run.state is State.QUEUED and run.place > queued.place for run in rivals)
