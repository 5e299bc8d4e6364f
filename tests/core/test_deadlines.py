"""R20 to R22: when a run is taken for abandoned, and how pausing moves that."""

import pytest

from schedule_bridge.core import deadlines
from schedule_bridge.core.model import DAY, MINUTE, NO_KEY, SECOND, Reason, State

from .house import House
from .picture import picture


def a_running_run(minutes: int = 2) -> House:
    house = House()
    house.set(maxRunMinutes=minutes)
    house.fire()
    house.claim("t#1")
    return house


def test_max_run_minutes_count_from_the_claim() -> None:
    house = House()
    house.set(maxRunMinutes=2)
    house.fire()
    house.wait(30)
    house.claim("t#1")
    assert house.execution("t#1").deadline == 30 * SECOND + 2 * MINUTE


def test_without_max_run_minutes_five_intervals_count() -> None:
    house = House()
    house.names.intervals["t"] = 600
    house.set(schedule={"kind": "interval", "every": 600})
    house.fire()
    house.claim("t#1")
    assert house.execution("t#1").deadline == 5 * 600 * SECOND


def test_without_a_schedule_a_day_stands_in_for_five_intervals() -> None:
    house = a_running_run(minutes=0)
    assert house.execution("t#1").deadline == DAY


def test_a_run_that_a_removed_trigger_left_unclaimed_has_a_deadline_all_the_same() -> None:
    house = House()
    house.names.intervals["t"] = 600
    house.set()
    house.fire()
    house.trigger_verb("remove")
    house.claim("t#1")
    assert house.execution("t#1").deadline == 5 * 600 * SECOND


def test_a_run_that_reaches_its_deadline_is_expired_at_that_instant() -> None:
    house = a_running_run()
    run = house.execution("t#1")
    assert house.wait(119.999) == []
    assert house.wait(0.001) == ["expired t#1"]
    assert (run.state, run.reason, run.ended_at) == (State.EXPIRED, Reason.DEADLINE, 2 * MINUTE)


def test_an_expired_run_gives_back_scope_key_and_capacity() -> None:
    house = House(limit=1)
    house.set(maxRunMinutes=2, lockKey="k", overlapPolicy="queue")
    house.set("held")
    house.fire()
    house.claim("t#1")
    house.fire()
    house.fire("held")
    assert house.wait(120) == ["expired t#1", "started held#1", "onHold t#2"]


def test_expiries_of_one_instant_go_by_creation_and_before_delays() -> None:
    house = House()
    house.set("delayed", delaySeconds=60, workflowId="b")
    for name in ("b", "a"):
        house.set(name, maxRunMinutes=1)
        house.fire(name)
    house.claim("a#1")
    house.claim("b#1")
    house.fire("delayed")
    assert house.wait(60) == ["expired b#1", "expired a#1", "started delayed#1"]


def test_a_run_without_a_deadline_is_not_put_on_the_agenda() -> None:
    house = House()
    house.set()
    house.fire()
    deadlines.arm(house.world, house.execution("t#1"))
    assert house.world.agenda.next_instant() is None


def test_a_run_that_ended_has_no_deadline_to_reach() -> None:
    house = a_running_run()
    house.finish("t#1")
    assert house.wait(600) == []


@pytest.mark.parametrize("paused", [1, 119, 600])
def test_while_paused_the_deadline_stands_still(paused: int) -> None:
    house = a_running_run()
    house.wait(60)
    house.verb("pause", "t#1")
    assert house.wait(paused) == []
    house.verb("resume", "t#1")
    assert house.execution("t#1").deadline == 2 * MINUTE + paused * SECOND
    assert house.wait(59.999) == []
    assert house.wait(0.001) == ["expired t#1"]


def test_pauses_add_up() -> None:
    house = a_running_run()
    for _ in range(3):
        house.verb("pause", "t#1")
        house.wait(100)
        house.verb("resume", "t#1")
    assert house.execution("t#1").deadline == 2 * MINUTE + 300 * SECOND


def test_a_paused_run_keeps_its_key_and_its_capacity() -> None:
    house = House(limit=1)
    house.set(lockKey="k")
    house.set("rival", lockKey="k")
    house.set("held")
    house.fire()
    house.claim("t#1")
    house.verb("pause", "t#1")
    assert house.fire("rival") == ["waiting rival#1 for t#1"]
    assert house.fire("held") == ["onHold held#1"]


def test_a_paused_run_can_be_ended() -> None:
    house = a_running_run()
    house.verb("pause", "t#1")
    assert house.finish("t#1") == ["completed t#1"]


def test_a_leap_of_the_clock_moves_deadlines_and_delays_along() -> None:
    house = a_running_run()
    house.set("delayed", delaySeconds=60)
    house.fire("delayed")
    house.now += 3600 * SECOND
    house.machine.shift(3600 * SECOND, house.now)
    assert house.trigger("delayed").delayed[NO_KEY].ready_at == house.now + MINUTE
    assert house.wait(60) == ["started delayed#1"]
    assert house.wait(60) == ["expired t#1"]


def test_a_leap_of_the_clock_during_a_pause_counts_once() -> None:
    house = a_running_run()
    house.wait(60)
    house.verb("pause", "t#1")
    house.now += 3600 * SECOND
    house.machine.shift(3600 * SECOND, house.now)
    house.verb("resume", "t#1")
    assert house.wait(59) == []
    assert house.wait(1) == ["expired t#1"]


def test_a_leap_of_nothing_moves_nothing() -> None:
    house = a_running_run()
    before = picture(house.world.executions)
    house.machine.shift(0, house.now)
    assert picture(house.world.executions) == before
