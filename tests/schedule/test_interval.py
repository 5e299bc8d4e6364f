"""Interval schedules keep to a grid (R23)."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_bridge.schedule import Missed, Schedule, ScheduleError, parse_schedule

SECOND = 1_000_000


def every(seconds: object, anchor: object = None, default_anchor: int = 0) -> Schedule:
    config = {"kind": "interval", "every": seconds, "anchor": anchor}
    return parse_schedule(config, default_anchor=default_anchor)


def test_ticks_lie_on_the_grid_of_the_anchor_on_both_sides(instant: Callable[[str], int]) -> None:
    schedule = every(600, "2026-01-01T00:05:00Z")
    assert schedule.next_after(instant("2026-01-01T00:00Z")) == instant("2026-01-01T00:05Z")
    assert schedule.next_after(instant("2026-01-01T00:05Z")) == instant("2026-01-01T00:15Z")
    assert schedule.next_after(instant("2020-01-01T00:00Z")) == instant("2020-01-01T00:05Z")


def test_a_tick_is_the_last_one_at_its_own_instant(instant: Callable[[str], int]) -> None:
    schedule = every(600, "2026-01-01T00:05:00Z")
    tick = instant("2026-01-01T00:15Z")
    assert schedule.last_at_or_before(tick) == tick
    assert schedule.last_at_or_before(tick - 1) == instant("2026-01-01T00:05Z")


def test_without_an_anchor_the_default_one_counts() -> None:
    assert every(10, default_anchor=3 * SECOND).next_after(0) == 3 * SECOND


def test_the_interval_of_an_interval_schedule_is_its_period() -> None:
    assert every(90).interval_at(12_345) == 90 * SECOND


def test_fractions_of_a_second_are_exact() -> None:
    assert every(0.1).latest_between(0, SECOND, 100) == list(range(100_000, SECOND + 1, 100_000))


def test_missed_ticks_of_a_century_are_counted_at_once() -> None:
    century = 36_525 * 86_400
    assert every(0.1).missed_between(0, century * SECOND) == Missed(
        century * 10, 100_000, century * SECOND
    )


@given(
    period=st.integers(100, 5_000),
    anchor=st.integers(-10_000, 10_000),
    after=st.integers(-20_000, 20_000),
    length=st.integers(0, 20_000),
    limit=st.integers(1, 5),
)
def test_every_answer_agrees_with_the_grid_written_out(
    period: int, anchor: int, after: int, length: int, limit: int
) -> None:
    schedule = every(period / 1_000, default_anchor=anchor * 1_000)
    until = (after + length) * 1_000
    grid = range((anchor - 1_000 * period) * 1_000, 45_000_000, period * 1_000)
    ticks = [tick for tick in grid if after * 1_000 < tick <= until]
    missed = Missed(len(ticks), ticks[0], ticks[-1]) if ticks else None
    assert schedule.missed_between(after * 1_000, until) == missed
    assert schedule.latest_between(after * 1_000, until, limit) == ticks[-limit:]
    assert schedule.next_after(until) == next(tick for tick in grid if tick > until)


@pytest.mark.parametrize("seconds", [0.09, 0, -5, 3_660 * 86_400 + 1, float("inf"), float("nan")])
def test_an_interval_beyond_its_bounds_is_refused(seconds: float) -> None:
    with pytest.raises(ScheduleError) as refusal:
        every(seconds)
    assert refusal.value.pointer == "/every"
    assert str(refusal.value) == "The interval goes from 0.1 seconds to 3660 days."


@pytest.mark.parametrize("seconds", [None, True, "600", [600]])
def test_an_interval_that_is_not_a_number_is_refused(seconds: object) -> None:
    with pytest.raises(ScheduleError) as refusal:
        every(seconds)
    assert refusal.value.pointer == "/every"
    assert str(refusal.value) == "The interval is a number of seconds."


@pytest.mark.parametrize("anchor", ["yesterday", "2026-01-01", "2026-01-01T00:00:00", ""])
def test_an_anchor_that_is_no_instant_is_refused(anchor: str) -> None:
    with pytest.raises(ScheduleError) as refusal:
        every(600, anchor)
    assert refusal.value.pointer == "/anchor"
    assert str(refusal.value) == (
        f'The anchor "{anchor}" is not a time such as 2026-01-01T00:00:00Z.'
    )


def test_an_anchor_that_is_not_text_is_refused() -> None:
    with pytest.raises(ScheduleError, match=r"^The anchor is a time such as"):
        every(600, 5)
