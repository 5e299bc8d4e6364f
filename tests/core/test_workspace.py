"""A workspace that is read back stands as it stood."""

from dataclasses import replace

from schedule_bridge.core.model import Execution, State, WorkspaceId
from schedule_bridge.core.workspace import Workspace

from .house import House
from .invariants import check_workspace


def a_busy_workspace() -> Workspace:
    """Runs in every state; the holds did not come in the order of creation."""
    house = House(limit=3)
    house.set("a", lockKey="k")
    house.set("early", lockKey="k", overlapPolicy="queue")
    house.set("b", overlapPolicy="queue")
    house.set("c")
    house.set("held")
    house.set("later")
    for name in ("a", "early", "b", "c", "held", "later"):
        house.fire(name)
    house.claim("b#1")
    house.claim("c#1")
    house.verb("pause", "c#1")
    house.verb("cancel", "a#1")
    house.fire("b")
    house.fire("a")
    return house.world.workspace(WorkspaceId("default"))


def read_back(workspace: Workspace) -> Workspace:
    """The workspace, rebuilt from its executions as a store would hand them out."""
    again = Workspace(workspace.workspace_id)
    again.limit = workspace.limit
    for execution in workspace.executions.values():
        again.admit(replace(execution))
    again.sort_holds()
    return again


def test_every_state_is_there() -> None:
    states = {execution.state for execution in a_busy_workspace().executions.values()}
    assert states == {State.QUEUED, State.ON_HOLD, State.PENDING, State.RUNNING, State.PAUSED}


def test_reading_back_restores_every_index() -> None:
    workspace = a_busy_workspace()
    again = read_back(workspace)
    check_workspace(again)
    assert list(again.executions) == list(workspace.executions)
    assert again.hold_order == workspace.hold_order


def test_holds_are_read_back_in_their_own_order() -> None:
    holds = read_back(a_busy_workspace()).holds
    assert list(holds) == ["later#1", "early#1"]


def test_an_empty_workspace_is_read_back_empty() -> None:
    again = read_back(Workspace(WorkspaceId("w")))
    assert (again.holds, again.hold_order, again.executions) == ({}, 0, {})


def test_nobody_is_ahead_of_a_run_without_a_key() -> None:
    workspace = a_busy_workspace()
    queued: list[Execution] = [
        run for run in workspace.executions.values() if run.state is State.QUEUED
    ]
    assert [workspace.ahead_for_key(run) is None for run in queued] == [
        run.lock_key == "" for run in queued
    ]
