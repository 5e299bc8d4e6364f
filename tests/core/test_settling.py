"""R18, R19: after an end or a raised limit, what waited goes on until nothing moves."""

import pytest

from schedule_bridge.core.model import Reason

from .house import House


def test_holds_go_before_queued_runs() -> None:
    house = House(limit=1)
    house.set(overlapPolicy="queue", priority=1)
    house.set("held", priority=100)
    house.fire()
    house.fire("held")
    house.fire()
    assert house.finish("t#1") == ["completed t#1", "started held#1", "onHold t#2"]


def test_queued_runs_go_on_by_priority_then_creation() -> None:
    house = House()
    house.set("long", lockKey="k", workflowId="w")
    house.set("old", lockKey="k", priority=6)
    house.set("urgent", lockKey="k", priority=1)
    house.set("queuing", lockKey="k", workflowId="w", overlapPolicy="queue", priority=5)
    for name in ("long", "old", "urgent", "queuing"):
        house.fire(name)
    assert house.finish("long#1") == ["completed long#1", "started urgent#1"]
    assert house.finish("urgent#1") == ["completed urgent#1", "started queuing#1"]


def test_what_goes_on_in_one_settling_does_so_by_priority_then_creation() -> None:
    house = House()
    house.set("holder", lockKeys=["a", "b", "c"])
    for key, priority in (("a", 7), ("b", 1), ("c", 7)):
        house.set(key, lockKey=key, priority=priority)
    for name in ("holder", "a", "b", "c"):
        house.fire(name)
    house.trigger_verb("detach", "holder")
    assert house.interrupt_detached("holder") == [
        "interrupted holder#1",
        "interrupted holder#2",
        "interrupted holder#3",
        "started b#1",
        "started a#1",
        "started c#1",
    ]


def test_one_end_lets_go_on_what_waited_for_the_key_and_what_waited_for_the_room() -> None:
    house = House(limit=2)
    house.set("first", lockKey="k")
    house.set("behind", lockKey="k")
    house.set("second")
    house.set("held")
    for name in ("first", "second", "held", "behind"):
        house.fire(name)
    assert house.finish("first#1") == ["completed first#1", "started held#1", "onHold behind#1"]


def test_an_end_in_another_workspace_moves_nothing() -> None:
    house = House(limit=1)
    house.set()
    house.set("held")
    house.set("other", workspaceId="other")
    for name in ("t", "held", "other"):
        house.fire(name)
    assert house.finish("other#1") == ["completed other#1"]


def test_a_run_waits_for_its_scope_until_the_last_of_it_has_ended() -> None:
    house = House()
    house.set(overlapPolicy="allow", maxConcurrent=2)
    house.fire()
    house.fire()
    house.set(overlapPolicy="queue")
    house.fire()
    assert house.finish("t#1") == ["completed t#1"]
    assert house.finish("t#2") == ["completed t#2", "started t#3"]


@pytest.mark.parametrize("verb", ["cancel", "terminate"])
def test_ending_the_queued_run_lets_the_next_in_line_go_on(verb: str) -> None:
    house = House()
    house.set("holder", lockKey="k", overlapPolicy="cancel")
    house.set("first", lockKey="k", priority=1)
    house.set("second", lockKey="k")
    for name in ("holder", "first", "second"):
        house.fire(name)
    assert house.verb(verb, "first#1") == ["cancelled first#1"]
    assert house.finish("holder#1") == ["completed holder#1", "started second#1"]


def test_one_end_frees_one_place_only() -> None:
    house = House(limit=1)
    for name in ("a", "b", "c"):
        house.set(name)
        house.fire(name)
    assert house.interrupt("b#1", Reason.GONE) == ["interrupted b#1"]
    assert house.finish("a#1") == ["completed a#1", "started c#1"]


def test_cancel_settles_after_the_new_run_has_met_its_gates() -> None:
    house = House(limit=2)
    house.set(overlapPolicy="allow", maxConcurrent=2)
    house.set("held")
    house.fire()
    house.fire()
    house.fire("held")
    house.set(overlapPolicy="cancel")
    assert house.fire() == [
        "cancelled t#1",
        "cancelled t#2",
        "onHold t#3",
        "started held#1",
        "started t#3",
    ]


@pytest.mark.parametrize("policy", ["queue", "allow"])
def test_a_scope_never_has_a_second_queued_run(policy: str) -> None:
    house = House()
    house.set("holder", lockKey="k")
    house.set(lockKey="k", overlapPolicy=policy, maxConcurrent=9)
    house.fire("holder")
    assert house.fire() == ["waiting t#1 for holder#1"]
    assert house.fire() == ["merged t into t#1"]


@pytest.mark.parametrize("policy", ["cancel", "terminate"])
def test_the_newest_takes_the_place_of_the_queued_run(policy: str) -> None:
    house = House()
    house.set("holder", lockKey="k")
    house.set(lockKey="k", overlapPolicy=policy)
    house.fire("holder")
    house.fire()
    assert house.fire() == ["cancelled t#1", "waiting t#2 for holder#1"]
