"""R15: a lock key is held by one execution of the workspace at a time."""

import pytest

from .house import House


def a_house_with_three_workflows() -> House:
    """Triggers a, b and c of workflows of their own; `a#1` holds the key k."""
    house = House()
    for name in ("a", "b", "c"):
        house.set(name, lockKey="k", overlapPolicy="allow", maxConcurrent=3)
    house.fire("a")
    return house


def test_an_execution_waits_while_another_workflow_holds_its_key() -> None:
    house = a_house_with_three_workflows()
    assert house.fire("b") == ["waiting b#1 for a#1"]
    assert house.states() == {"a#1": "pending", "b#1": "queued"}


@pytest.mark.parametrize("verb", ["cancel", "terminate", "pause"])
def test_a_key_is_given_back_by_an_end_and_by_nothing_else(verb: str) -> None:
    house = a_house_with_three_workflows()
    house.claim("a#1")
    house.fire("b")
    said = house.verb(verb, "a#1")
    assert said == ([] if verb == "pause" else ["cancelled a#1", "started b#1"])


def test_a_run_on_hold_holds_its_key() -> None:
    house = House(limit=1)
    house.set("first")
    house.set("a", lockKey="k")
    house.set("b", lockKey="k")
    house.fire("first")
    assert house.fire("a") == ["onHold a#1"]
    assert house.fire("b") == ["waiting b#1 for a#1"]
    assert house.verb("cancel", "a#1") == ["cancelled a#1", "onHold b#1"]


def test_waiting_runs_go_on_by_priority_then_creation() -> None:
    house = a_house_with_three_workflows()
    house.fire("b", priority=7)
    house.fire("c", priority=1)
    house.set("d", lockKey="k")
    house.fire("d", priority=7)
    assert house.finish("a#1") == ["completed a#1", "started c#1"]
    assert house.finish("c#1") == ["completed c#1", "started b#1"]
    assert house.finish("b#1") == ["completed b#1", "started d#1"]


def test_an_execution_waits_behind_a_queued_one_that_comes_before_it() -> None:
    house = a_house_with_three_workflows()
    house.fire("b", priority=1)
    house.set("a", lockKey="k", overlapPolicy="cancel")
    assert house.fire("a") == ["cancelled a#1", "waiting a#2 for b#1", "started b#1"]


def test_a_better_priority_goes_before_those_that_wait_already() -> None:
    house = a_house_with_three_workflows()
    house.fire("b", priority=7)
    house.set("a", lockKey="k", overlapPolicy="cancel")
    assert house.fire("a", priority=1) == ["cancelled a#1", "started a#2"]


def test_no_key_waits_for_nobody() -> None:
    house = a_house_with_three_workflows()
    house.set("free")
    house.set("empty", lockKey="")
    house.set("null", lockKey=None)
    for name in ("free", "empty", "null"):
        assert house.fire(name) == [f"started {name}#1"]


def test_keys_are_the_workspaces_own() -> None:
    house = a_house_with_three_workflows()
    house.set("other", workspaceId="other", lockKey="k")
    assert house.fire("other") == ["started other#1"]


def test_further_firings_of_allow_merge_into_the_run_that_waits_for_its_key() -> None:
    house = a_house_with_three_workflows()
    assert house.fire("a") == ["waiting a#2 for a#1"]
    assert house.fire("a") == ["merged a into a#2"]


def test_a_queued_run_behind_its_scope_is_first_in_line_by_its_priority() -> None:
    house = a_house_with_three_workflows()
    house.set("a", lockKey="k", overlapPolicy="queue", priority=1)
    house.fire("b")
    assert house.fire("a") == ["queued a#2"]
    assert house.finish("a#1") == ["completed a#1", "started a#2"]
