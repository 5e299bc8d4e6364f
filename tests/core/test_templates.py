"""R27: the lock key that a template makes of an event's payload."""

from datetime import UTC, datetime
from typing import Any

import pytest

from schedule_bridge.core.templates import FieldMissingError, render_lock_key

ISSUE = {"repo": "owner/repo", "number": 123, "issue": {"id": 7, "author": {"name": "ann"}}}


@pytest.mark.parametrize(
    ("template", "key"),
    [
        ("{repo}:issue:{number}", "owner/repo:issue:123"),
        ("{issue.id}/{issue.author.name}", "7/ann"),
        ("{repo}{repo}", "owner/repoowner/repo"),
        ("fixed", "fixed"),
        ("a } b { c", "a } b { c"),
        ("", ""),
    ],
)
def test_fields_stand_in_braces_and_a_dot_goes_down(template: str, key: str) -> None:
    assert render_lock_key(template, ISSUE) == key


@pytest.mark.parametrize(
    ("value", "part"),
    [
        (0, "0"),
        (-5, "-5"),
        (2**63 - 1, "9223372036854775807"),
        (1234567.0, "1234567"),
        (123456789.5, "123456789.5"),
        (-0.0, "0"),
        (1e300, "1e+300"),
        (True, "true"),
        (False, "false"),
        ("", ""),
        ("{repo}", "{repo}"),
        ("ü/日本", "ü/日本"),
    ],
)
def test_text_numbers_and_booleans_are_parts_of_a_key(value: object, part: str) -> None:
    assert render_lock_key("k{it}", {"it": value}) == f"k{part}"


def test_numbers_that_differ_make_keys_that_differ() -> None:
    keys = {render_lock_key("{n}", {"n": float(number)}) for number in range(10**7, 10**7 + 100)}
    assert len(keys) == 100


def test_a_number_makes_the_same_key_however_it_was_written() -> None:
    assert render_lock_key("{n}", {"n": 5}) == render_lock_key("{n}", {"n": 5.0})


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"issue": {}},
        {"issue": {"id": None}},
        {"issue": {"id": [1]}},
        {"issue": {"id": {"n": 1}}},
        {"issue": {"id": b"bytes"}},
        {"issue": {"id": datetime(2026, 1, 1, tzinfo=UTC)}},
        {"issue": {"id": "a\nb"}},
        {"issue": {"id": "x" * 513}},
        {"issue": "text"},
        {"issue": ["id"]},
        {"issue.id": 7},
        None,
        "text",
        [1],
        7,
    ],
)
def test_what_is_missing_or_no_part_of_a_key_is_said(payload: Any) -> None:
    with pytest.raises(FieldMissingError):
        render_lock_key("{issue.id}", payload)
