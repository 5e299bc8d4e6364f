"""R16: a workspace's limit bounds its started executions; the rest go on hold."""

import pytest

from .house import House


def a_full_house() -> House:
    """Limit 1: `a#1` has started, `b#1` and then `c#1` are on hold."""
    house = House(limit=1)
    for name in ("a", "b", "c", "d"):
        house.set(name)
    for name in ("a", "b", "c"):
        house.fire(name)
    return house


def test_at_the_limit_an_execution_goes_on_hold() -> None:
    assert a_full_house().states() == {"a#1": "pending", "b#1": "onHold", "c#1": "onHold"}


def test_no_limit_holds_nothing() -> None:
    house = a_full_house()
    assert house.limit(0) == ["started b#1", "started c#1"]
    assert house.fire("d") == ["started d#1"]


@pytest.mark.parametrize("priority", [1, 100])
def test_holds_are_released_oldest_first_whatever_their_priority(priority: int) -> None:
    house = a_full_house()
    house.fire("d", priority=priority)
    assert house.finish("a#1") == ["completed a#1", "started b#1"]
    assert house.finish("b#1") == ["completed b#1", "started c#1"]
    assert house.finish("c#1") == ["completed c#1", "started d#1"]


def test_the_oldest_hold_is_the_one_put_on_hold_first_not_the_one_created_first() -> None:
    house = House(limit=1)
    for name in ("first", "blocking", "hasty"):
        house.set(name)
    house.set("waiting", lockKey="k")
    house.fire("blocking", key="k")
    house.fire("waiting")
    house.limit(2)
    house.fire("first")
    house.fire("hasty")
    assert house.verb("cancel", "blocking#1") == [
        "cancelled blocking#1",
        "started hasty#1",
        "onHold waiting#1",
    ]


def test_raising_the_limit_releases_as_many_as_fit() -> None:
    house = a_full_house()
    house.fire("d")
    assert house.limit(3) == ["started b#1", "started c#1"]


def test_lowering_the_limit_stops_nothing_that_has_started() -> None:
    house = a_full_house()
    house.limit(3)
    assert house.limit(1) == []
    assert house.finish("a#1") == ["completed a#1"]
    assert house.fire("d") == ["onHold d#1"]


@pytest.mark.parametrize("state", ["pending", "running", "paused"])
def test_whatever_has_started_counts(state: str) -> None:
    house = House(limit=1)
    house.set("a")
    house.set("b")
    house.fire("a")
    if state != "pending":
        house.claim("a#1")
    if state == "paused":
        house.verb("pause", "a#1")
    assert house.fire("b") == ["onHold b#1"]


def test_a_queued_run_takes_no_capacity() -> None:
    house = House(limit=2)
    house.set(overlapPolicy="queue")
    house.set("other")
    house.fire()
    house.fire()
    assert house.fire("other") == ["started other#1"]


def test_a_run_on_hold_keeps_its_payload() -> None:
    house = House(limit=1)
    house.set("a")
    house.set("b")
    house.fire("a")
    house.fire("b", payload={"n": 1})
    house.finish("a#1")
    assert house.execution("b#1").payload == {"n": 1}


def test_each_workspace_has_a_limit_of_its_own() -> None:
    house = a_full_house()
    house.set("other", workspaceId="other")
    assert house.fire("other") == ["started other#1"]


def test_the_run_that_replaces_one_at_the_limit_goes_behind_the_holds() -> None:
    house = a_full_house()
    house.set("a", overlapPolicy="cancel")
    assert house.fire("a") == ["cancelled a#1", "onHold a#2", "started b#1"]


def test_cancelling_a_run_on_hold_frees_no_capacity() -> None:
    house = a_full_house()
    assert house.verb("cancel", "b#1") == ["cancelled b#1"]
