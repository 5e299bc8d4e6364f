"""R11: whatever is not exactly one of the six words is `skip`, with a warning."""

import pytest

from schedule_bridge.core.configuration import read_policy, read_trigger_config
from schedule_bridge.core.model import OverlapPolicy

from .house import House

UNKNOWN = ["", "Skip", "queue ", "QUEUE", "replace", "None", 0, 1, True, False, 2.5, [], {}]


@pytest.mark.parametrize("declared", [*UNKNOWN, ["queue"], {"queue": 1}], ids=repr)
def test_anything_else_is_skip_and_known_to_be_unknown(declared: object) -> None:
    assert read_policy(declared, subscribes=False) == (OverlapPolicy.SKIP, True)
    assert read_policy(declared, subscribes=True) == (OverlapPolicy.SKIP, True)


@pytest.mark.parametrize("policy", OverlapPolicy)
def test_the_six_words_are_themselves(policy: OverlapPolicy) -> None:
    assert read_policy(policy.value, subscribes=False) == (policy, False)


def test_absent_and_null_are_skip_without_a_warning() -> None:
    for config in ({"triggerId": "t"}, {"triggerId": "t", "overlapPolicy": None}):
        read = read_trigger_config(config)
        assert (read.policy, read.policy_is_unknown) == (OverlapPolicy.SKIP, False)


def test_a_trigger_that_subscribes_to_events_queues_unless_it_says_otherwise() -> None:
    """R27."""
    assert read_policy(None, subscribes=True) == (OverlapPolicy.QUEUE, False)
    subscribing = read_trigger_config({"triggerId": "t", "on": ["push"]})
    assert subscribing.policy is OverlapPolicy.QUEUE
    assert read_trigger_config({"triggerId": "t", "on": []}).policy is OverlapPolicy.SKIP


@pytest.mark.parametrize("declared", UNKNOWN, ids=repr)
def test_an_unknown_policy_replaces_a_destructive_one(declared: object) -> None:
    house = House()
    house.set(overlapPolicy="cancel")
    house.fire()
    house.set(overlapPolicy=declared)
    assert house.fire() == ["skipped t active"]
    assert house.trigger().config.policy_is_unknown


def test_what_is_left_out_takes_the_defaults_of_the_api() -> None:
    read = read_trigger_config({"triggerId": "t", "lockKey": None, "lockKeys": []})
    assert (read.workflow_id, read.workspace_id, read.client_id) == ("t", "default", None)
    assert (read.max_concurrent, read.max_run, read.priority, read.delay) == (1, 0, 5, 0)
    assert (read.lock_keys, read.lock_key, read.payload, read.paused) == ((), "", None, None)


def test_whole_numbers_written_with_a_point_are_whole_numbers() -> None:
    read = read_trigger_config({"triggerId": "t", "maxRunMinutes": 1.0, "maxConcurrent": 2.0})
    assert repr((read.max_run, read.max_concurrent)) == "(60000000, 2)"
