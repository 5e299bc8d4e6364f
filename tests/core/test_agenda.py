"""What is due, and in which order (R18)."""

from schedule_bridge.core.agenda import _SWEEP_FROM, Agenda, Rank, Timer


def targets_until(agenda: Agenda, until: int) -> list[object]:
    taken = []
    while (timer := agenda.pop(until)) is not None:
        taken.append(timer.target)
    return taken


def test_nothing_is_due_on_an_empty_agenda() -> None:
    agenda = Agenda()
    assert agenda.next_instant() is None
    assert agenda.pop(10**18) is None


def test_earlier_instants_go_first() -> None:
    agenda = Agenda()
    for instant in (3, 1, 2):
        agenda.add(instant, Rank.TICK, "t", instant)
    assert targets_until(agenda, 3) == [1, 2, 3]


def test_at_one_instant_things_go_by_rank() -> None:
    agenda = Agenda()
    for rank in reversed(Rank):
        agenda.add(1, rank, (0,), rank.name)
    assert targets_until(agenda, 1) == ["RUN_END", "EXPIRY", "DELAY", "TICK", "REQUEST"]


def test_within_a_rank_they_go_by_their_order_then_as_they_came() -> None:
    agenda = Agenda()
    agenda.add(1, Rank.DELAY, (5, 1), "second")
    agenda.add(1, Rank.DELAY, (5, 1), "third")
    agenda.add(1, Rank.DELAY, (1, 9), "first")
    assert targets_until(agenda, 1) == ["first", "second", "third"]


def test_ticks_of_one_instant_go_by_code_point() -> None:
    agenda = Agenda()
    for name in ("é", "a", "Z", "\U0001f600", "\uffff"):
        agenda.add(1, Rank.TICK, name, name)
    assert targets_until(agenda, 1) == ["Z", "a", "é", "\uffff", "\U0001f600"]


def test_only_what_is_due_is_taken_and_only_once() -> None:
    agenda = Agenda()
    timer = agenda.add(2, Rank.TICK, "t", "x")
    assert agenda.pop(1) is None
    assert agenda.next_instant() == 2
    assert agenda.pop(2) is timer
    assert not timer.armed
    assert agenda.pop(2) is None


def test_what_is_late_is_taken_as_if_it_were_due_now() -> None:
    agenda = Agenda()
    agenda.add(1, Rank.TICK, "b", "tick of b")
    agenda.add(2, Rank.TICK, "a", "tick of a")
    agenda.add(3, Rank.DELAY, (1, 1), "delay")
    agenda.add(4, Rank.EXPIRY, 2, "second run")
    agenda.add(5, Rank.EXPIRY, 1, "first run")
    agenda.add(6, Rank.EXPIRY, 0, "not due")
    taken = [timer.target for timer in agenda.pop_all(5)]
    assert taken == ["first run", "second run", "delay", "tick of a", "tick of b"]
    assert agenda.next_instant() == 6


def test_what_is_disarmed_or_armed_by_something_due_is_heeded() -> None:
    agenda = Agenda()
    agenda.add(1, Rank.EXPIRY, 1, "first")
    other = agenda.add(1, Rank.EXPIRY, 2, "second")
    taken = []
    for timer in agenda.pop_all(1):
        taken.append(timer.target)
        if timer.target == "first":
            other.disarm()
            agenda.add(0, Rank.TICK, "t", "third")
    assert taken == ["first", "third"]


def test_a_timer_that_was_disarmed_is_never_due() -> None:
    agenda = Agenda()
    agenda.add(1, Rank.TICK, "t", "dead").disarm()
    agenda.add(2, Rank.TICK, "t", "living")
    assert agenda.next_instant() == 2
    assert targets_until(agenda, 9) == ["living"]


def test_a_timer_that_is_armed_anew_is_due_then_and_only_then() -> None:
    agenda = Agenda()
    timer = agenda.add(2, Rank.TICK, "t", "x")
    agenda.arm(timer, 5)
    agenda.arm(timer, 3)
    assert [taken.instant for taken in agenda.pop_all(2)] == []
    assert agenda.next_instant() == 3
    assert [taken.instant for taken in agenda.pop_all(9)] == [3]
    agenda.arm(timer, 9)
    assert targets_until(agenda, 9) == ["x"]


def test_a_timer_that_something_due_arms_anew_is_not_due_before() -> None:
    agenda = Agenda()
    agenda.add(1, Rank.EXPIRY, 1, "first")
    other = agenda.add(1, Rank.EXPIRY, 2, "second")
    for _ in agenda.pop_all(1):
        agenda.arm(other, 2)
    assert agenda.next_instant() == 2


def test_of_equals_that_are_late_the_earlier_goes_first() -> None:
    agenda = Agenda()
    agenda.add(2, Rank.REQUEST, 0, "second")
    agenda.add(1, Rank.REQUEST, 0, "first")
    assert [timer.target for timer in agenda.pop_all(2)] == ["first", "second"]


def test_many_timers_are_armed_like_one() -> None:
    agenda = Agenda()
    moved = agenda.add(1, Rank.TICK, "b", "b")
    agenda.arm_all([(moved, 2), (Timer(Rank.TICK, "a", "a"), 2), (Timer(Rank.TICK, "c", "c"), 1)])
    assert agenda.next_instant() == 1
    assert targets_until(agenda, 2) == ["c", "a", "b"]
    assert agenda.kept == 0


def test_dead_timers_do_not_pile_up() -> None:
    agenda = Agenda()
    agenda.add(1, Rank.TICK, "t", "living")
    for _ in range(20 * _SWEEP_FROM):
        agenda.add(1, Rank.EXPIRY, 0, "dead").disarm()
    assert agenda.kept <= 2 * _SWEEP_FROM
    assert targets_until(agenda, 1) == ["living"]


def test_timers_that_are_armed_anew_do_not_pile_up() -> None:
    agenda = Agenda()
    timer = agenda.add(1, Rank.TICK, "t", "x")
    for number in range(20 * _SWEEP_FROM):
        agenda.arm(timer, number)
    assert agenda.kept <= 2 * _SWEEP_FROM
    assert agenda.next_instant() == 20 * _SWEEP_FROM - 1


def test_many_living_timers_are_not_swept_over_and_over() -> None:
    agenda = Agenda()
    for number in range(3 * _SWEEP_FROM):
        agenda.add(number, Rank.REQUEST, number, number)
    assert targets_until(agenda, 10**9) == list(range(3 * _SWEEP_FROM))


def test_a_leap_moves_all_but_the_ticks() -> None:
    agenda = Agenda()
    agenda.add(5, Rank.EXPIRY, 1, "expiry")
    agenda.add(6, Rank.TICK, "t", "tick")
    agenda.shift(10)
    assert targets_until(agenda, 14) == ["tick"]
    assert targets_until(agenda, 15) == ["expiry"]


def test_a_leap_moves_a_timer_that_was_armed_anew_once() -> None:
    agenda = Agenda()
    timer = agenda.add(5, Rank.EXPIRY, 1, "expiry")
    agenda.arm(timer, 6)
    agenda.shift(10)
    assert agenda.next_instant() == 16
