"""R7, R10: the slot, and when the firing that it holds is released."""

import pytest

from schedule_bridge.core.model import NO_KEY, SECOND

from .house import House


def a_house_with_a_held_firing() -> House:
    """Run `t#1` is active; the slot of `t` holds the firing with payload "held"."""
    house = House()
    house.set(overlapPolicy="buffer")
    house.fire(payload="first")
    house.wait(1)
    house.fire(payload="held", priority=3)
    house.wait(1)
    return house


def test_the_first_firing_is_held_and_further_ones_are_dropped() -> None:
    house = a_house_with_a_held_firing()
    assert house.fire(payload="late") == ["dropped t bufferFull"]
    assert house.trigger().buffered[NO_KEY].payload == "held"


def test_the_end_of_the_run_releases_nothing() -> None:
    house = a_house_with_a_held_firing()
    assert house.finish("t#1") == ["completed t#1"]
    assert house.wait(3600) == []


def test_the_next_firing_releases_the_held_one_in_its_place() -> None:
    house = a_house_with_a_held_firing()
    house.finish("t#1")
    assert house.fire(payload="current", priority=9) == [
        "dropped t replaced",
        "released t",
        "started t#2",
    ]
    released = house.execution("t#2")
    assert (released.payload, released.priority) == ("held", 3)
    assert released.scheduled_at == 1 * SECOND
    assert not house.trigger().buffered


def test_after_the_release_the_slot_takes_the_next_firing() -> None:
    house = a_house_with_a_held_firing()
    house.finish("t#1")
    house.fire()
    assert house.fire() == ["buffered t"]


def test_as_long_as_any_run_of_the_scope_is_active_nothing_is_released() -> None:
    house = a_house_with_a_held_firing()
    house.set("other", workflowId="t")
    house.finish("t#1")
    house.fire("other")
    assert house.fire() == ["dropped t bufferFull"]


@pytest.mark.parametrize("policy", ["skip", "queue", "allow", "cancel", "terminate"])
def test_the_release_happens_under_any_other_policy_too(policy: str) -> None:
    house = a_house_with_a_held_firing()
    house.set(overlapPolicy=policy)
    house.finish("t#1")
    assert house.fire(payload="current") == ["dropped t replaced", "released t", "started t#2"]


def test_a_policy_that_proceeds_beside_active_runs_leaves_the_slot_alone() -> None:
    house = a_house_with_a_held_firing()
    house.set(overlapPolicy="cancel")
    assert house.fire(payload="current") == ["cancelled t#1", "started t#2"]
    assert house.trigger().buffered[NO_KEY].payload == "held"


def test_the_released_firing_meets_the_gates_that_follow() -> None:
    house = a_house_with_a_held_firing()
    house.set("other")
    house.fire("other")
    house.finish("t#1")
    house.limit(1)
    assert house.fire() == ["dropped t replaced", "released t", "onHold t#2"]


def test_a_firing_for_another_key_releases_nothing() -> None:
    house = a_house_with_a_held_firing()
    house.finish("t#1")
    assert house.fire(key="k") == ["started t#2"]
    assert house.trigger().buffered[NO_KEY].payload == "held"


def test_the_slot_is_the_triggers_own_and_not_the_workflows() -> None:
    house = a_house_with_a_held_firing()
    house.set("other", workflowId="t", overlapPolicy="buffer")
    assert house.fire("other") == ["buffered other"]


def test_a_delayed_firing_that_is_ready_releases_the_held_one() -> None:
    house = a_house_with_a_held_firing()
    house.set(overlapPolicy="buffer", delaySeconds=5)
    house.finish("t#1")
    house.fire(payload="delayed")
    assert house.wait(5) == ["dropped t replaced", "released t", "started t#2"]
    assert house.execution("t#2").payload == "held"


def test_a_trigger_that_moved_to_another_workflow_is_judged_there() -> None:
    house = a_house_with_a_held_firing()
    house.set(overlapPolicy="buffer", workflowId="elsewhere")
    assert house.fire() == ["dropped t replaced", "released t", "started t#2"]
    assert house.execution("t#2").workflow_id == "elsewhere"
