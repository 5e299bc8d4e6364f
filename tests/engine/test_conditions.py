"""A condition may cost so much work, and no more (security.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from schedule_bridge.engine.conditions import Condition, TooCostlyError
from schedule_bridge.wire.schemas import validate

from .test_events import occur, subscribe

if TYPE_CHECKING:
    from .rig import Rig

MANY = [0] * 20_000


def nested(depth: int) -> Any:
    return {"allOf": [nested(depth - 1)] * 4} if depth else {"items": {}}


@pytest.mark.parametrize(
    "where",
    [
        {"items": {"anyOf": [{"const": number} for number in (*range(1, 90), 0)]}},
        {"allOf": [{"items": {}}] * 100},
        {"allOf": [{"contains": {"const": 0}}] * 100},
        nested(4),
        {"items": {"not": {"enum": [*range(1, 100)]}}},
    ],
    ids=["items by branches", "empty items", "contains", "nested", "items by values"],
)
def test_what_would_take_too_long_is_given_up(where: Any) -> None:
    assert validate("where", where) == []
    with pytest.raises(TooCostlyError):
        Condition(where).accepts(MANY)


def test_a_large_payload_is_judged_by_a_reasonable_condition() -> None:
    commit = {"required": ["id", "author"], "properties": {"author": {"type": "string"}}}
    where = {"properties": {"commits": {"type": "array", "minItems": 1, "items": commit}}}
    commits = [{"id": str(number), "author": "ann", "message": "x"} for number in range(5_000)]
    assert Condition(where).accepts({"commits": commits})
    assert not Condition(where).accepts({"commits": [*commits, {"id": "last"}]})


def test_each_judgement_has_a_budget_of_its_own() -> None:
    condition = Condition({"items": {"type": "integer"}})
    assert all(condition.accepts(MANY) for _ in range(3))


async def test_it_keeps_no_other_trigger_from_being_fired(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    await subscribe(rig, "a", where={"allOf": [{"items": {}}] * 100})
    await subscribe(rig, "b", where={"type": "array"})
    assert await occur(rig, MANY) == ["b started"]
    assert "The condition of trigger a cannot be judged." in caplog.text
