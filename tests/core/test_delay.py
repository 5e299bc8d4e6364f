"""R2: the first firing of a trigger and key is held, further ones merge into it."""

from schedule_bridge.core.model import SECOND, LockKey

from .house import House


def test_a_firing_is_held_for_the_delay_and_then_starts() -> None:
    house = House()
    house.set(delaySeconds=5)
    assert house.fire() == ["delayed t until 5"]
    assert house.wait(4.999999) == []
    assert house.wait(0.000001) == ["started t#1"]


def test_further_firings_merge_and_the_end_of_the_delay_stays() -> None:
    house = House()
    house.set(delaySeconds=5)
    house.fire(payload={"a": 1, "b": 1})
    house.wait(3)
    assert house.fire(payload={"b": 2}) == ["merged t into the delayed one"]
    assert house.wait(2) == ["started t#1"]
    assert house.execution("t#1").payload == {"a": 1, "b": 2}
    assert house.execution("t#1").merged_firings == 1


def test_the_priority_of_the_held_firing_stays() -> None:
    house = House()
    house.set(delaySeconds=5)
    house.fire(priority=7)
    house.fire(priority=1)
    house.wait(5)
    assert house.execution("t#1").priority == 7


def test_the_scheduled_instant_and_the_key_are_those_of_the_newest() -> None:
    house = House()
    house.set(delaySeconds=5)
    house.fire(idempotency="first")
    house.wait(3)
    house.fire(idempotency="second")
    house.wait(2)
    assert house.execution("t#1").scheduled_at == 3 * SECOND
    assert house.execution("t#1").firing_key == "second"


def test_a_held_firing_blocks_nobody() -> None:
    house = House(limit=1)
    house.set(delaySeconds=5)
    house.set("other", workflowId="t")
    house.fire()
    assert house.fire("other") == ["started other#1"]


def test_at_its_end_the_firing_meets_the_overlap_gate() -> None:
    house = House()
    house.set(delaySeconds=5)
    house.set("other", workflowId="t")
    house.fire()
    house.fire("other")
    assert house.wait(5) == ["skipped t active"]


def test_keys_are_held_apart() -> None:
    house = House()
    house.set(delaySeconds=5)
    house.fire(key="a")
    assert house.fire(key="b") == ["delayed t until 5"]
    assert list(house.trigger().delayed) == [LockKey("a"), LockKey("b")]


def test_delays_ready_at_one_instant_go_by_priority_then_creation() -> None:
    house = House()
    for name in ("late", "early", "urgent"):
        house.set(name, delaySeconds=5)
    house.fire("early")
    house.fire("late")
    house.fire("urgent", priority=1)
    assert house.wait(5) == ["started urgent#1", "started early#1", "started late#1"]


def test_a_firing_after_the_delay_was_taken_away_goes_on_at_once() -> None:
    house = House()
    house.set(delaySeconds=5)
    house.fire()
    house.set()
    assert house.fire() == ["started t#1"]
    assert house.wait(5) == ["skipped t active"]


def test_a_paused_trigger_merges_nothing_into_its_held_firing() -> None:
    house = House()
    house.set(delaySeconds=5)
    house.fire(payload=1)
    house.trigger_verb("pause")
    assert house.fire(payload=2) == ["skipped t paused"]
    house.wait(5)
    assert house.execution("t#1").payload == 1


def test_a_held_firing_keeps_its_place_when_its_trigger_was_away() -> None:
    house = House()
    for name in ("t", "other"):
        house.set(name, delaySeconds=5)
        house.fire(name)
    house.trigger_verb("detach")
    house.set(delaySeconds=5)
    assert house.wait(5) == ["started t#1", "started other#1"]
