"""R12: what arrives later is the newer, and wins; place, priority, trigger and id stay."""

from typing import Any

import pytest

from schedule_bridge.core.merging import merge_payloads
from schedule_bridge.core.model import NO_KEY, SECOND, TriggerId

from .house import House


@pytest.mark.parametrize(
    ("older", "newer", "merged"),
    [
        ({"a": 1, "b": 1}, {"b": 2, "c": 2}, {"a": 1, "b": 2, "c": 2}),
        ({"a": {"x": 1}}, {"a": {"y": 1}}, {"a": {"y": 1}}),
        ({"a": 1}, {"a": None}, {"a": None}),
        ({"a": 1}, None, {"a": 1}),
        (None, None, None),
        (None, {"a": 1}, {"a": 1}),
        ({"a": 1}, {}, {"a": 1}),
        ({"a": 1}, [1], [1]),
        ([1], {"a": 1}, {"a": 1}),
        ([1], [2], [2]),
        ("x", 0, 0),
        (1, False, False),
        (1, "", ""),
    ],
)
def test_payloads_merge_by_top_level_keys_or_are_replaced(
    older: object, newer: object, merged: object
) -> None:
    assert merge_payloads(older, newer) == merged


def test_merging_leaves_both_payloads_as_they_were() -> None:
    older, newer = {"a": 1}, {"b": 1}
    merge_payloads(older, newer)
    assert (older, newer) == ({"a": 1}, {"b": 1})


def test_a_queued_execution_keeps_all_but_payload_and_instant() -> None:
    house = House()
    house.set(overlapPolicy="queue", priority=4)
    house.set("other", overlapPolicy="queue", workflowId="t", priority=1)
    house.fire(idempotency="a")
    house.fire(payload={"a": 1}, idempotency="b")
    house.wait(7)
    assert house.fire("other", payload={"b": 2}, idempotency="c") == ["merged other into t#2"]
    queued = house.execution("t#2")
    assert (queued.trigger_id, queued.priority, queued.firing_id) == ("t", 4, "f2")
    assert (queued.payload, queued.scheduled_at) == ({"a": 1, "b": 2}, 7 * SECOND)
    assert (queued.merged_firings, queued.firing_key) == (1, "c")


def test_merged_firings_are_counted_with_those_merged_before() -> None:
    house = House()
    house.set(overlapPolicy="queue")
    house.fire()
    house.fire()
    house.set(overlapPolicy="queue", delaySeconds=5)
    for _ in range(3):
        house.fire()
    assert house.wait(5) == ["merged t into t#2"]
    assert house.execution("t#2").merged_firings == 3


def test_a_delayed_firing_brings_its_count_along_when_it_starts() -> None:
    house = House()
    house.set(delaySeconds=5)
    for _ in range(3):
        house.fire()
    house.wait(5)
    assert house.execution("t#1").merged_firings == 2


def test_a_firing_without_payload_merges_the_payload_of_its_trigger() -> None:
    house = House()
    house.set(overlapPolicy="queue", payload={"own": 1})
    house.fire()
    house.fire(payload={"a": 1})
    house.fire()
    assert house.execution("t#2").payload == {"a": 1, "own": 1}


@pytest.mark.parametrize("config", [{"overlapPolicy": "queue"}, {"delaySeconds": 60}])
def test_of_payloads_that_are_too_large_together_the_newer_stays(config: dict[str, Any]) -> None:
    """Keys that differ each time would make what waits grow for ever."""
    house = House()
    house.names.most_keys = 3
    house.set(**config)
    house.fire()
    for key in "abcd":
        house.fire(payload={key: 1, "latest": key})
    trigger = house.machine.world.triggers[TriggerId("t")]
    waiting = trigger.delayed[NO_KEY].firing if trigger.delayed else house.execution("t#2")
    assert waiting.payload == {"c": 1, "d": 1, "latest": "d"}
    assert waiting.merged_firings in (3, 4)


def test_a_payload_that_is_large_alone_replaces_without_being_judged() -> None:
    house = House()
    house.set(overlapPolicy="queue")
    house.fire()
    house.fire(payload={"a": 1, "b": 1})
    house.names.most_keys = 1
    house.fire(payload={"b": 2, "a": 2})
    assert house.execution("t#2").payload == {"a": 2, "b": 2}
