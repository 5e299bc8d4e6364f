"""The pictures in the help of the trigger are what the simulator says of each policy."""

from __future__ import annotations

import pytest

from schedule_bridge.core.model import OverlapPolicy
from schedule_bridge.simulate.outcome import Outcome
from simulate.pictures import story_of
from simulate.policy_pictures import file_of, policy_picture, scenario_of

SHOWN = {
    OverlapPolicy.SKIP: Outcome.SKIPPED,
    OverlapPolicy.QUEUE: Outcome.MERGED,
    OverlapPolicy.ALLOW: Outcome.SKIPPED,
    OverlapPolicy.BUFFER: Outcome.DROPPED,
    OverlapPolicy.CANCEL: Outcome.CANCELLED,
    OverlapPolicy.TERMINATE: Outcome.TERMINATED,
}


@pytest.mark.parametrize("policy", OverlapPolicy)
def test_the_picture_is_what_the_renderer_draws_now(policy: OverlapPolicy) -> None:
    assert file_of(policy).read_text(encoding="utf-8") == policy_picture(policy)


@pytest.mark.parametrize("policy", OverlapPolicy)
def test_the_picture_shows_what_sets_its_policy_apart(policy: OverlapPolicy) -> None:
    story = story_of(scenario_of(policy))
    seen = {mark.outcome for mark in story.marks} | {run.ending for run in story.runs}
    assert SHOWN[policy] in seen


@pytest.mark.parametrize("policy", OverlapPolicy)
def test_the_picture_has_no_words_but_those_for_the_pointer(policy: OverlapPolicy) -> None:
    assert "<text" not in policy_picture(policy)
