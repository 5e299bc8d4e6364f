"""R1: a firing of a paused or detached trigger is skipped; what is held is not touched."""

import pytest

from schedule_bridge.core.model import TriggerId
from schedule_bridge.core.refusal import Refusal, Refused

from .house import House
from .picture import picture


def test_a_paused_trigger_skips_its_firings() -> None:
    house = House()
    house.set()
    house.trigger_verb("pause")
    assert house.fire() == ["skipped t paused"]


def test_a_resumed_trigger_fires_again() -> None:
    house = House()
    house.set(paused=True)
    house.trigger_verb("resume")
    assert house.fire() == ["started t#1"]


def test_a_pause_keeps_its_beginning() -> None:
    house = House()
    house.set(paused=True)
    house.wait(5)
    house.trigger_verb("pause")
    house.set(paused=True)
    assert house.trigger().paused_since == 0


def test_a_declaration_that_leaves_paused_out_keeps_what_an_operator_set() -> None:
    house = House()
    house.set()
    house.trigger_verb("pause")
    house.set()
    assert house.fire() == ["skipped t paused"]


def test_a_declaration_that_says_not_paused_resumes() -> None:
    house = House()
    house.set(paused=True)
    house.set(paused=False)
    assert house.fire() == ["started t#1"]


def test_pausing_leaves_a_delayed_firing_alone() -> None:
    house = House()
    house.set(delaySeconds=5)
    house.fire()
    house.trigger_verb("pause")
    assert house.wait(5) == ["started t#1"]


def test_pausing_leaves_a_queued_execution_alone() -> None:
    house = House()
    house.set(overlapPolicy="queue")
    house.fire()
    house.fire()
    house.trigger_verb("pause")
    assert house.finish("t#1") == ["completed t#1", "started t#2"]


def test_pausing_leaves_an_execution_on_hold_alone() -> None:
    house = House(limit=1)
    house.set("other")
    house.set()
    house.fire("other")
    house.fire()
    house.trigger_verb("pause")
    assert house.finish("other#1") == ["completed other#1", "started t#1"]


def test_a_paused_trigger_keeps_its_buffer_slot_for_the_first_firing_after() -> None:
    house = House()
    house.set(overlapPolicy="buffer")
    house.fire(payload=1)
    house.fire(payload=2)
    house.trigger_verb("pause")
    house.finish("t#1")
    assert house.fire(payload=3) == ["skipped t paused"]
    house.trigger_verb("resume")
    assert house.fire(payload=4) == ["dropped t replaced", "released t", "started t#2"]
    assert house.execution("t#2").payload == 2


def test_a_detached_trigger_skips_its_firings() -> None:
    house = House()
    house.set()
    house.trigger_verb("detach")
    assert house.fire() == ["skipped t detached"]


def test_detached_goes_before_paused() -> None:
    house = House()
    house.set(paused=True)
    house.trigger_verb("detach")
    assert house.fire() == ["skipped t detached"]


def test_detaching_twice_keeps_the_first_instant() -> None:
    house = House()
    house.set()
    house.trigger_verb("detach")
    house.wait(5)
    house.trigger_verb("detach")
    assert house.trigger().detached_since == 0


def test_a_declaration_attaches_a_detached_trigger() -> None:
    house = House()
    house.set()
    house.trigger_verb("detach")
    house.set()
    assert house.fire() == ["started t#1"]


def test_what_a_detached_trigger_has_waiting_is_interrupted_and_settled_once() -> None:
    house = House(limit=2)
    house.set(overlapPolicy="queue")
    house.set("other", overlapPolicy="allow", maxConcurrent=9)
    house.fire()
    house.fire()
    house.fire("other")
    house.fire(key="k")
    house.fire("other")
    house.trigger_verb("detach")
    assert house.interrupt_detached() == [
        "interrupted t#1",
        "interrupted t#2",
        "interrupted t#3",
        "started other#2",
    ]


def test_what_a_detached_trigger_has_running_runs_on() -> None:
    house = House()
    house.set()
    house.fire()
    house.claim("t#1")
    house.trigger_verb("detach")
    assert house.interrupt_detached() == []
    assert house.states() == {"t#1": "running"}


def test_a_delayed_firing_of_a_detached_trigger_waits_for_its_return() -> None:
    house = House()
    house.set(delaySeconds=5)
    house.fire()
    house.trigger_verb("detach")
    assert house.wait(60) == []
    house.set(delaySeconds=5)
    assert house.wait(0) == ["started t#1"]


def test_a_trigger_that_is_back_before_the_delay_is_over_waits_the_rest() -> None:
    house = House()
    house.set(delaySeconds=5)
    house.fire()
    house.trigger_verb("detach")
    house.wait(2)
    house.set()
    assert house.wait(2) == []
    assert house.wait(1) == ["started t#1"]


def test_a_buffered_firing_of_a_detached_trigger_waits_for_its_return() -> None:
    house = House()
    house.set(overlapPolicy="buffer")
    house.fire()
    house.fire()
    house.trigger_verb("detach")
    house.interrupt_detached()
    house.set(overlapPolicy="buffer")
    assert house.fire() == ["dropped t replaced", "released t", "started t#2"]


@pytest.mark.parametrize("verb", ["pause", "resume", "detach", "remove"])
def test_a_command_on_an_unknown_trigger_is_refused(verb: str) -> None:
    house = House()
    before = picture(house.world)
    with pytest.raises(Refused) as refused:
        house.trigger_verb(verb, "nobody")
    assert refused.value.refusal is Refusal.UNKNOWN_TRIGGER
    assert picture(house.world) == before


def test_a_firing_of_an_unknown_trigger_is_refused() -> None:
    house = House()
    before = picture(house.world)
    with pytest.raises(Refused) as refused:
        house.fire("nobody")
    assert refused.value.refusal is Refusal.UNKNOWN_TRIGGER
    assert picture(house.world) == before
    assert TriggerId("nobody") not in house.world.triggers
