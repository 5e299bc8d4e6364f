"""The sentences that people read."""

import pytest

from schedule_bridge.core import sentences
from schedule_bridge.core.model import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    Execution,
    ExecutionId,
    LockKey,
    Reason,
    State,
)

from .house import House

FULL_ID = ExecutionId("7f3a0b1c-and-more")


def a_run(state: State = State.PENDING) -> Execution:
    house = House()
    house.set()
    house.fire()
    run = house.execution("t#1")
    run.execution_id = FULL_ID
    run.state = state
    run.started_at = 0
    return run


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (0, "less than a second"),
        (-5, "less than a second"),
        (SECOND - 1, "less than a second"),
        (4 * SECOND, "4 s"),
        (12 * MINUTE + 4 * SECOND, "12 min 4 s"),
        (30 * MINUTE, "30 min"),
        (2 * HOUR + 5 * MINUTE + 9 * SECOND, "2 h 5 min"),
        (2 * HOUR + 9 * SECOND, "2 h"),
        (3 * DAY + 4 * HOUR + 5 * MINUTE, "3 d 4 h"),
    ],
)
def test_a_span_is_said_in_its_two_largest_units(span: int, said: str) -> None:
    assert sentences.duration(span) == said


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (State.RUNNING, "has been running for 12 min 4 s"),
        (State.PAUSED, "is paused"),
        (State.PENDING, "is about to start"),
        (State.ON_HOLD, "has been on hold for 12 min 4 s"),
        (State.QUEUED, "has been queued for 12 min 4 s"),
    ],
)
def test_a_run_in_the_way_is_said_by_its_state(state: State, said: str) -> None:
    now = 12 * MINUTE + 4 * SECOND
    assert sentences.skipped(Reason.ACTIVE, [a_run(state)], 1, now) == (
        f"Skipped: run 7f3a of this workflow {said}."
    )


def test_a_firing_that_waits_says_behind_what() -> None:
    run = a_run()
    assert sentences.queued([run], 0) == "Queued: run 7f3a of this workflow is about to start."
    assert sentences.buffered([run], 0) == "Held: run 7f3a of this workflow is about to start."


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (Reason.PAUSED, "Skipped: the trigger is paused."),
        (Reason.DETACHED, "Skipped: no client declares the trigger at present."),
        (Reason.MAX_CONCURRENT, "Skipped: 2 of 2 runs of this workflow are active."),
    ],
)
def test_a_skipped_firing_says_why(reason: Reason, said: str) -> None:
    assert sentences.skipped(reason, [a_run(), a_run()], 2, 0) == said


def test_the_count_of_active_runs_is_not_that_of_the_named_ones() -> None:
    assert sentences.skipped(Reason.MAX_CONCURRENT, [a_run()] * 20, 25, 0) == (
        "Skipped: 25 of 25 runs of this workflow are active."
    )


@pytest.mark.parametrize(
    ("reason", "run", "said"),
    [
        (Reason.BUFFER_FULL, None, "Dropped: an earlier firing is held in the slot."),
        (Reason.REPLACED, None, "Dropped: the firing that was held runs in its place."),
        (Reason.REMOVED, FULL_ID, "Dropped: the trigger was removed."),
        (Reason.DETACHED, FULL_ID, "Dropped: no client has declared the trigger for a while."),
        (Reason.CANCELLED, FULL_ID, "Dropped: run 7f3a was cancelled before it started."),
        (Reason.CANCELLED, None, "Dropped: its run was cancelled before it started."),
    ],
)
def test_a_dropped_firing_says_why(reason: Reason, run: ExecutionId | None, said: str) -> None:
    assert sentences.dropped(reason, run) == said


def test_a_merged_firing_says_into_what() -> None:
    assert sentences.merged(None) == "Merged into the firing that is delayed."
    assert sentences.merged(a_run()) == "Merged into run 7f3a, which is queued."
    assert sentences.merged(a_run(), cut=True) == (
        "Merged into run 7f3a, which is queued. The older payload was let go: together they are "
        "more than 1 MiB."
    )


def test_a_delayed_firing_says_for_how_long() -> None:
    assert sentences.delayed(90 * SECOND) == "Delayed by 1 min 30 s."


def test_a_firing_that_waits_for_a_key_says_who_has_it_or_is_before_it() -> None:
    key = LockKey("k")
    queued, holding = a_run(State.QUEUED), a_run(State.RUNNING)
    assert sentences.waiting(key, holding) == "Waiting: key k is held by run 7f3a."
    assert sentences.waiting(key, queued) == (
        "Waiting: run 7f3a is before it in the line for key k."
    )


def test_a_firing_on_hold_says_how_full_it_is() -> None:
    assert sentences.on_hold("default", 5, 5) == "On hold: workspace default runs 5 of 5."


def test_a_start_names_its_run() -> None:
    assert sentences.started(FULL_ID) == "Started: run 7f3a."


@pytest.mark.parametrize(
    ("state", "error", "said"),
    [
        (State.COMPLETED, None, "Completed: run 7f3a after 1 min."),
        (State.CANCELLED, None, "Cancelled: run 7f3a after 1 min."),
        (State.EXPIRED, None, "Expired: run 7f3a reached its limit after 1 min."),
        (State.FAILED, None, "Failed: run 7f3a after 1 min."),
        (State.FAILED, "no disk", "Failed: run 7f3a after 1 min. “no disk”"),
    ],
)
def test_an_end_says_how_and_after_how_long(state: State, error: str | None, said: str) -> None:
    run = a_run(state)
    run.error, run.ended_at = error, MINUTE
    assert sentences.ended(run) == said


def test_an_end_before_the_start_has_no_length() -> None:
    run = a_run(State.CANCELLED)
    run.started_at, run.ended_at = None, MINUTE
    assert sentences.ended(run) == "Cancelled: run 7f3a."


@pytest.mark.parametrize(
    ("reason", "because"),
    [
        ("late", "the bridge was late"),
        ("down", "the bridge was down"),
        ("store", "the bridge could not write"),
        ("client", "Node-RED was away"),
        ("detached", "no client declared the trigger"),
    ],
)
def test_missed_ticks_are_counted_and_explained(reason: str, because: str) -> None:
    assert sentences.missed(1, "10:20", reason) == f"1 tick was missed until 10:20: {because}."
    assert sentences.missed(3, "10:20", reason) == f"3 ticks were missed until 10:20: {because}."
