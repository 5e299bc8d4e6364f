"""The sentence that counts what a trigger did."""

from __future__ import annotations

from typing import Any

import pytest

from schedule_bridge.simulate.counts import count
from simulate.pictures import every, hour_of, story_of

FIRE = {"at": 60, "do": "fire", "triggerId": "t"}
KEYS = {"lockKeys": ["a", "b"]}


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (hour_of(every(300, "skip"), 400), "12 ticks, 6 runs, 6 skipped."),
        (hour_of(every(600, "queue"), 1500, 60), "6 ticks, 5 runs, 1 merged."),
        (hour_of(every(900, "queue"), 7200), "4 ticks, 1 run, 2 merged. 1 still waits."),
        (hour_of(every(1000, "buffer")), "3 ticks, 1 run, 1 dropped. 1 still waits."),
        (hour_of(every(1000, "cancel")), "3 ticks, 3 runs, 2 cancelled."),
        (hour_of(every(1000, "terminate")), "3 ticks, 3 runs, 2 terminated."),
        (hour_of(every(900, "skip", maxRunMinutes=10)), "4 ticks, 4 runs, 3 expired."),
        (hour_of({"triggerId": "t"}, steps=[FIRE]), "1 firing, 1 run."),
        (hour_of(every(3600, "skip", **KEYS)), "2 firings, 2 runs."),
        (hour_of(every(1800, "queue", **KEYS)), "4 firings, 2 runs. 2 still wait."),
        (hour_of({"triggerId": "t"}), "No ticks."),
    ],
)
def test_what_did_not_happen_is_left_out(raw: dict[str, Any], sentence: str) -> None:
    assert count(story_of(raw)) == sentence


def test_failed_runs_are_counted_by_their_outcome() -> None:
    raw = hour_of(every(1800, "skip"), 60)
    raw["runs"]["t"]["outcome"] = "failed"
    assert count(story_of(raw)) == "2 ticks, 2 runs, 1 failed."
