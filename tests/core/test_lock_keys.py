"""R26: a trigger with `lockKeys` fires once for each key, each handled before the next."""

from typing import Any

from schedule_bridge.core.model import LockKey
from schedule_bridge.simulate import simulate

from .house import House


def keys_of(house: House) -> list[str]:
    return [execution.lock_key for execution in house.world.executions.values()]


def test_a_firing_without_a_key_fires_once_for_each_listed_key_in_order() -> None:
    house = House()
    house.set(lockKeys=["b", "a"])
    assert house.fire() == ["started t#1", "started t#2"]
    assert keys_of(house) == ["b", "a"]


def test_a_firing_that_names_a_key_fires_for_that_key_alone() -> None:
    house = House()
    house.set(lockKeys=["b", "a"])
    assert house.fire(key="c") == ["started t#1"]
    assert keys_of(house) == ["c"]


def test_lock_keys_go_before_the_fixed_lock_key() -> None:
    house = House()
    house.set(lockKeys=["a"], lockKey="z")
    house.fire()
    assert keys_of(house) == ["a"]


def test_a_fixed_lock_key_is_used_where_the_firing_names_none() -> None:
    house = House()
    house.set(lockKey="z")
    house.fire()
    house.fire(key="y")
    assert keys_of(house) == ["z", "y"]


def test_overlap_is_judged_for_each_key_apart() -> None:
    house = House()
    house.set(lockKeys=["a", "b"])
    house.fire(key="a")
    assert house.fire() == ["skipped t active", "started t#2"]


def test_each_key_is_settled_before_the_next_is_judged() -> None:
    house = House(limit=1)
    house.set(lockKeys=["a", "b"], overlapPolicy="cancel")
    assert house.fire() == ["started t#1", "onHold t#2"]
    assert house.fire() == [
        "cancelled t#1",
        "onHold t#3",
        "started t#2",
        "cancelled t#2",
        "onHold t#4",
        "started t#3",
    ]


def test_each_key_has_a_buffer_slot_of_its_own() -> None:
    house = House()
    house.set(lockKeys=["a", "b"], overlapPolicy="buffer")
    house.fire()
    assert house.fire() == ["buffered t", "buffered t"]
    assert house.fire(key="a") == ["dropped t bufferFull"]
    house.finish("t#1")
    assert house.fire() == [
        "dropped t replaced",
        "released t",
        "started t#3",
        "dropped t bufferFull",
    ]


def test_each_key_is_delayed_apart() -> None:
    house = House()
    house.set(lockKeys=["a", "b"], delaySeconds=5)
    assert house.fire() == ["delayed t until 5", "delayed t until 5"]
    assert house.fire(key="a") == ["merged t into the delayed one"]
    assert list(house.trigger().delayed) == [LockKey("a"), LockKey("b")]
    assert house.wait(5) == ["started t#1", "started t#2"]


def test_a_paused_trigger_skips_each_key() -> None:
    house = House()
    house.set(lockKeys=["a", "b"], paused=True)
    assert house.fire() == ["skipped t paused", "skipped t paused"]


def test_a_run_that_a_later_key_of_the_same_firing_cancels_has_started_with_its_payload() -> None:
    scenario: dict[str, Any] = {
        "workspaces": {"default": {"maxConcurrentExecutions": 1}},
        "triggers": [{"triggerId": "t", "lockKeys": ["a", "b"], "overlapPolicy": "cancel"}],
        "runs": {"t": {"durationSeconds": [9, 9, 2]}},
        "steps": [
            {"at": 0, "do": "fire", "triggerId": "t", "payload": 1},
            {"at": 1, "do": "fire", "triggerId": "t", "payload": 2},
            {"at": 9, "do": "pauseTrigger", "triggerId": "t"},
        ],
    }
    told = [
        (event["at"], event["event"].split(".")[1], event["executionId"], event.get("payload"))
        for event in simulate(scenario)
    ]
    assert told == [
        (0, "started", "t#1", 1),
        (0, "onHold", "t#2", None),
        (1, "cancelled", "t#1", None),
        (1, "onHold", "t#3", None),
        (1, "started", "t#2", 1),
        (1, "cancelled", "t#2", None),
        (1, "onHold", "t#4", None),
        (1, "started", "t#3", 2),
        (3, "completed", "t#3", None),
        (3, "started", "t#4", 2),
        (5, "completed", "t#4", None),
    ]
