"""The story of a trigger, read back from what the simulator printed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from core.scenarios import Object, scenarios
from schedule_bridge.simulate.outcome import Outcome
from simulate.pictures import MINUTE, every, hour_of, stories_of, story_of

if TYPE_CHECKING:
    from schedule_bridge.simulate.story import Story


def marks(story: Story) -> list[str]:
    return [mark.outcome for mark in story.marks]


@pytest.mark.parametrize(
    ("policy", "outcomes"),
    [
        ("skip", ["started", "skipped", "skipped", "started", "started", "started"]),
        ("queue", ["started", "queued", "merged", "started", "started", "started"]),
        ("allow", ["started", "skipped", "skipped", "started", "started", "started"]),
        ("buffer", ["started", "held", "dropped", "dropped", "started", "started"]),
        ("cancel", ["started"] * 6),
        ("terminate", ["started"] * 6),
    ],
)
def test_each_firing_leaves_its_mark(policy: str, outcomes: list[str]) -> None:
    assert marks(story_of(hour_of(every(600, policy), 1500, 60))) == outcomes


@given(scenarios())
@settings(max_examples=60)
def test_every_firing_is_accounted_for_once(raw: Object) -> None:
    removed = {step.get("triggerId") for step in raw["steps"] if step["do"] == "removeTrigger"}
    for story in stories_of(raw):
        if story.config.trigger_id in removed:
            continue
        outcomes = Counter(marks(story))
        gone = outcomes["skipped"] + outcomes["dropped"] + outcomes["merged"]
        waiting = sum(wait.end is None or wait.cancelled for wait in story.waits)
        assert story.firings == len(story.runs) + gone + waiting


def test_a_wait_keeps_what_it_waited_for_in_turn() -> None:
    raw = hour_of(
        every(900, "queue", delaySeconds=300),
        2000,
        workspaces={"default": {"maxConcurrentExecutions": 1}},
    )
    raw["triggers"].append({"triggerId": "other"})
    raw["steps"] = [{"at": 3190, "do": "fire", "triggerId": "other"}]
    queued = stories_of(raw)[0].waits[1]
    assert [(stretch.outcome, stretch.start // MINUTE) for stretch in queued.stretches] == [
        (Outcome.DELAYED, 30),
        (Outcome.QUEUED, 35),
        (Outcome.ON_HOLD, 53),
    ]


def test_a_released_firing_becomes_the_run_and_the_current_one_is_replaced() -> None:
    story = story_of(hour_of(every(600, "buffer"), 900, 60))
    (held,) = story.waits
    assert held.becomes is story.runs[1]
    assert [(mark.outcome, mark.reason) for mark in story.marks[:3]] == [
        (Outcome.STARTED, None),
        (Outcome.HELD, None),
        (Outcome.DROPPED, "replaced"),
    ]


def test_a_delayed_firing_that_is_skipped_later_counts_once_and_leaves_two_marks() -> None:
    story = story_of(hour_of(every(1500, "skip", delaySeconds=60)))
    assert (marks(story), story.firings) == (["delayed", "delayed", "skipped"], 2)


def test_a_removed_trigger_waits_no_longer() -> None:
    steps = [{"at": 1500, "do": "removeTrigger", "triggerId": "t"}]
    story = story_of(hour_of(every(600, "buffer"), steps=steps))
    assert [wait.end for wait in story.waits] == [25 * MINUTE]


def test_a_mark_belongs_to_the_trigger_that_fired_though_its_firing_merged_elsewhere() -> None:
    both = [every(600, "queue", workflowId="w"), every(1000, "queue", workflowId="w")]
    both[1]["triggerId"] = "u"
    first, second = stories_of({"until": 1900, "triggers": both})
    assert (marks(first), marks(second)) == (["started", "merged", "merged"], ["queued"])
    assert first.marks[1].into is None
    assert second.waits[0].merges == [20 * MINUTE, 30 * MINUTE]


def test_a_run_is_terminated_by_policy_by_step_and_with_its_jobs() -> None:
    by_policy = story_of(hour_of(every(1500, "terminate")))
    end = {"at": 2000, "do": "terminate", "executionId": "t#1"}
    by_step = story_of(hour_of(every(1500, "skip"), steps=[end]))
    assert by_policy.runs[0].ending is by_step.runs[0].ending is Outcome.TERMINATED


def test_a_run_that_another_policy_or_a_step_cancels_is_cancelled() -> None:
    end = {"at": 2000, "do": "cancel", "executionId": "t#1"}
    by_step = story_of(hour_of(every(1500, "terminate"), steps=[end]))
    by_policy = story_of(hour_of(every(1500, "cancel")))
    assert by_policy.runs[0].ending is by_step.runs[0].ending is Outcome.CANCELLED


def test_a_policy_that_was_set_later_says_how_runs_are_cut() -> None:
    later: dict[str, Any] = {"at": 10, "do": "setTrigger", "trigger": every(1500, "terminate")}
    story = story_of(hour_of(every(1500, "cancel"), steps=[later]))
    assert story.runs[0].ending is Outcome.TERMINATED


def test_runs_say_when_they_would_have_ended_by_themselves() -> None:
    story = story_of(hour_of(every(1500, "cancel"), 1800, 60))
    assert [run.expected_end for run in story.runs] == [55 * MINUTE, 51 * MINUTE]
