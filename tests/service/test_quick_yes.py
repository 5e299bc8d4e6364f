"""The quick yes never lets in what jsonschema refuses, and says yes to what it lets in."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_bridge.wire import schemas
from schedule_bridge.wire.quick import quick_judges
from schedule_bridge.wire.schemas import documents, explain, validate

BODIES: dict[str, dict[str, Any]] = {
    "fire": {"payload": {"a": [1, None]}, "lockKey": "k", "priority": 5, "source": "manual"},
    "finished": {"outcome": "failed", "error": "no", "endedAt": "2026-01-01T00:00:00.000Z"},
    "trigger": {
        "triggerId": "t",
        "schedule": {"kind": "cron", "expression": "* * * * *", "timezone": "UTC"},
        "maxConcurrent": 2,
        "lockKeys": ["a", "b"],
        "where": {"type": "object", "required": ["a"]},
        "on": ["x"],
    },
    "event": {"type": "pushed", "payload": {"repo": "acme/web"}},
    "workspace": {"maxConcurrentExecutions": 5},
    "job": {"jobId": "1", "name": "resize"},
    "preview": {"schedule": {"kind": "interval", "every": 60}, "count": 3},
    "replay": {"overlapPolicy": "queue", "maxConcurrent": 2},
    "frame-from-client": {"type": "started", "id": 1, "executionId": "e"},
}

WEIRD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8"), max_size=5),
    st.sampled_from(["", "a\n", "\x00", "2026-01-01T00:00:00Z", "2026-13-01T00:00:00Z", 1.0, -0.0]),
    st.just([]),
    st.just({}),
    st.lists(st.sampled_from(["a", "a\n", 1]), max_size=3),
)


def _with(value: dict[str, Any], name: str, part: object) -> dict[str, Any]:
    return {**value, name: part}


def spoiled(value: Any) -> st.SearchStrategy[Any]:
    """The value, or with something strange in the place of one of its parts."""
    changes = [st.just(value), WEIRD]
    if isinstance(value, dict):
        changes.append(
            st.tuples(st.text(max_size=3), WEIRD).map(lambda pair: {**value, pair[0]: pair[1]})
        )
        for name, part in value.items():
            changes.append(spoiled(part).map(partial(_with, value, name)))
            changes.append(st.just({key: each for key, each in value.items() if key != name}))
    if isinstance(value, list):
        changes.append(WEIRD.map(lambda new: [*value, new]))
    return st.one_of(changes)


@pytest.mark.parametrize("name", sorted(BODIES))
def test_the_quick_yes_and_jsonschema_agree(name: str) -> None:
    judge = quick_judges(documents())(schemas.ID_PREFIX + name)
    assert judge(BODIES[name])

    @given(spoiled(BODIES[name]))
    def agree(value: object) -> None:
        assert judge(value) == (not explain(name, value))

    agree()


@pytest.mark.parametrize("strange", [b"bytes", datetime.now(UTC), "\ud800"])
def test_what_json_does_not_know_is_left_to_jsonschema(strange: object) -> None:
    judge = quick_judges(documents())("schedule-bridge:fire")
    assert not judge({"source": strange})
    assert judge({"payload": {"a": strange}}) == (not explain("fire", {"payload": {"a": strange}}))


def test_a_fault_is_told_in_words_all_the_same() -> None:
    (fault,) = validate("fire", {"priority": 101})
    assert fault.pointer == "/priority"
    assert "100" in fault.message
