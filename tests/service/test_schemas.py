"""What the schemas refuse, in which words and at which place."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from schedule_bridge.wire.faults import MAX_FAULTS, pointer_to
from schedule_bridge.wire.schemas import documents, validate

TRIGGER: dict[str, Any] = {
    "triggerId": "t",
    "workflowId": "w",
    "workspaceId": "default",
    "clientId": "c",
    "name": "classify images",
    "schedule": {"kind": "interval", "every": 600, "anchor": "2026-01-01T00:00:00Z"},
    "overlapPolicy": "skip",
    "maxConcurrent": 1,
    "maxRunMinutes": 0,
    "priority": 5,
    "lockKeys": [],
    "lockKey": None,
    "delaySeconds": 0,
    "payload": None,
    "catchUp": "none",
    "catchUpWindowSeconds": 3600,
    "on": [],
    "where": {},
    "lockKeyTemplate": None,
    "paused": False,
}


def faults(name: str, value: object) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.message) for fault in validate(name, value)]


def changed(**members: object) -> dict[str, object]:
    return {**TRIGGER, **members}


def test_the_whole_configuration_and_the_id_alone_are_valid() -> None:
    assert faults("trigger", TRIGGER) == []
    assert faults("trigger", {"triggerId": "t"}) == []


@pytest.mark.parametrize("policy", ["skip", "explode", "", "SKIP", 7, None, ["skip"], {"a": 1}])
def test_r11_any_overlap_policy_is_valid_and_left_alone(policy: object) -> None:
    value = changed(overlapPolicy=policy)
    assert faults("trigger", value) == []
    assert value["overlapPolicy"] == policy


@pytest.mark.parametrize(
    ("members", "pointer", "sentence"),
    [
        (
            {"maxConcurrent": 0},
            "/maxConcurrent",
            "maxConcurrent must be a whole number of at least 1, not 0.",
        ),
        (
            {"maxConcurrent": 1.5},
            "/maxConcurrent",
            "maxConcurrent must be a whole number of at least 1, not 1.5.",
        ),
        (
            {"maxConcurrent": True},
            "/maxConcurrent",
            "maxConcurrent must be a whole number of at least 1, not true.",
        ),
        (
            {"maxRunMinutes": "5"},
            "/maxRunMinutes",
            'maxRunMinutes must be a whole number of at least 0, not "5".',
        ),
        (
            {"priority": 101},
            "/priority",
            "priority must be a whole number of at most 100, not 101.",
        ),
        ({"name": 5}, "/name", "name must be text, not 5."),
        ({"name": "x" * 257}, "/name", "name must have at most 256 characters, not 257."),
        ({"triggerId": ""}, "/triggerId", "triggerId must not be empty."),
        ({"triggerId": "a\n"}, "/triggerId", "triggerId must not contain control characters."),
        ({"lockKey": 1}, "/lockKey", "lockKey must be text or null, not 1."),
        ({"lockKeys": "a"}, "/lockKeys", 'lockKeys must be a list, not "a".'),
        ({"lockKeys": ["a", "b", "a"]}, "/lockKeys/2", 'lockKeys[2] repeats "a".'),
        ({"lockKeys": ["a", {}]}, "/lockKeys/1", "lockKeys[1] must be text, not an object."),
        (
            {"lockKeys": [str(n) for n in range(1001)]},
            "/lockKeys",
            "lockKeys must have at most 1000 items, not 1001.",
        ),
        (
            {"catchUp": "some"},
            "/catchUp",
            'catchUp must be one of "none", "latest", "all", not "some".',
        ),
        ({"paused": "no"}, "/paused", 'paused must be true or false, not "no".'),
        ({"schedule": 5}, "/schedule", "schedule must be an object, not 5."),
        ({"schedule": {}}, "/schedule", 'schedule has no "kind".'),
        (
            {"schedule": {"kind": "weekly"}},
            "/schedule/kind",
            'kind must be one of "interval", "cron", "none", not "weekly".',
        ),
        ({"schedule": {"kind": "interval"}}, "/schedule", 'schedule has no "every".'),
        (
            {"schedule": {"kind": "interval", "every": 0}},
            "/schedule/every",
            "every must be a number of at least 0.1, not 0.",
        ),
        (
            {"schedule": {"kind": "interval", "every": 1, "anchor": "noon"}},
            "/schedule/anchor",
            'anchor must be an instant such as 2026-01-01T00:00:00Z, not "noon".',
        ),
        (
            {"schedule": {"kind": "cron", "expression": "* * * * *", "every": 5}},
            "/schedule/every",
            "every is not known here.",
        ),
        (
            {"schedule": {"kind": "cron", "expression": "*" * 257}},
            "/schedule/expression",
            "expression must have at most 256 characters, not 257.",
        ),
        (
            {"overlapPolcy": "skip"},
            "/overlapPolcy",
            'overlapPolcy is not known here. Did you mean "overlapPolicy"?',
        ),
        ({"where": {"pattern": "^(a+)+$"}}, "/where/pattern", "pattern is not known here."),
        (
            {"where": {"properties": {"a": {"$ref": "#"}}}},
            "/where/properties/a/$ref",
            "$ref is not known here.",
        ),
        (
            {"where": {"const": "x" * 16384}},
            "/where",
            "where must take up at most 16384 bytes.",
        ),
    ],
)
def test_a_bad_trigger_is_refused_at_its_place_in_words(
    members: dict[str, object], pointer: str, sentence: str
) -> None:
    assert faults("trigger", changed(**members)) == [(pointer, sentence)]


def test_a_body_that_is_no_object_is_refused() -> None:
    assert faults("trigger", [1]) == [("", "The body must be an object, not a list.")]


def test_every_missing_member_is_named() -> None:
    assert faults("frame-started", {"type": "started"}) == [
        ("", 'The body has no "id" and no "executionId".')
    ]


def test_a_member_with_one_possible_value_is_told_so() -> None:
    answer = {"confirmed": False, "startedAt": "2026-01-01T00:00:00Z", "deadline": None}
    assert faults("started-answer", answer) == [
        ("/confirmed", "confirmed must be true, not false.")
    ]


def test_conditions_are_schemas_of_the_keywords_that_cost_little() -> None:
    where = {
        "type": "object",
        "required": ["label"],
        "properties": {"label": {"enum": ["bug", 5]}, "n": {"minimum": 3}, "x": False},
        "anyOf": [{"properties": {"a": {"const": {"b": None}}}}, {"not": {"minProperties": 2}}],
    }
    assert faults("trigger", changed(where=where)) == []


def test_frames_are_told_apart_by_type() -> None:
    here = {"type": "here", "id": 1, "triggers": [{"nonsense": True}], "runs": ["e#1"]}
    assert faults("frame-from-client", here) == []
    assert faults("frame-from-client", {**here, "runs": [5]}) == [
        ("/runs/0", "runs[0] must be text, not 5.")
    ]
    assert faults("frame-from-client", {"type": "reply", "re": 1}) == [
        (
            "/type",
            'type must be one of "hello", "here", "away", "started", "finished", not "reply".',
        )
    ]


def test_the_number_of_faults_is_bounded() -> None:
    assert len(validate("trigger", changed(**{f"x{n}": n for n in range(1000)}))) == MAX_FAULTS


@pytest.mark.parametrize(
    "members",
    [
        {"lockKeys": [{"a": n} for n in range(50_000)]},
        {"lockKeys": [["a" * 10, n] for n in range(1000)]},
        {"on": [str(n) for n in range(50_000)]},
        {"k" * n: n for n in range(1, 500)},
        {f"k{n}": n for n in range(50_000)},
        {"triggerId": "a" * 1_000_000},
        {"where": {"allOf": [{"allOf": [{}] * 100}] * 100}},
        {"where": {"enum": [[n] for n in range(50_000)]}},
    ],
)
def test_no_body_is_costly_to_refuse(members: dict[str, object]) -> None:
    calls: list[None] = []
    sys.setprofile(lambda *_event: calls.append(None))
    try:
        assert validate("trigger", changed(**members))
    finally:
        sys.setprofile(None)
    # Counted rather than timed, so that a busy machine changes nothing.
    assert len(calls) < 300_000


def test_every_scenario_is_valid_and_prints_what_is_described() -> None:
    files = sorted((Path(__file__).parents[1] / "scenarios").glob("*.json"))
    assert files
    for file in files:
        content = json.loads(file.read_bytes())
        assert faults("scenario", content["scenario"]) == [], file.name
        assert faults("scenario-events", content["expect"]) == [], file.name


def test_a_bad_scenario_is_refused_at_its_place() -> None:
    scenario = {
        "triggers": [{"triggerId": "t", "priority": 0}],
        "runs": {"t": {"durationSeconds": [5, 0]}},
        "steps": [{"at": 1, "do": "fire"}, {"at": -1, "do": "cancel", "executionId": "t#1"}],
    }
    assert faults("scenario", scenario) == [
        ("/triggers/0/priority", "priority must be a whole number of at least 1, not 0."),
        ("/runs/t/durationSeconds/1", "durationSeconds[1] must be a number of more than 0, not 0."),
        ("/steps/0", 'steps[0] has no "triggerId".'),
        ("/steps/1/at", "at must be a number of at least 0, not -1."),
    ]


def test_an_unknown_schema_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        validate("nonsense", {})
    assert "trigger" in documents()


def test_a_name_as_long_as_a_body_is_not_repeated_in_the_answer() -> None:
    (fault,) = validate("trigger", {"triggerId": "t", "x" * 5000: 7})
    assert fault.pointer == ""
    assert len(fault.message) < 100
    assert pointer_to(("where", "x" * 4090, "const")) == "/where"
    assert pointer_to(("x" * 4095,)) == "/" + "x" * 4095
