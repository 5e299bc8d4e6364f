"""Times as an operator types and reads them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from schedule_bridge.cli.when import local_time, read_moment
from schedule_bridge.core.model import MINUTE, SECOND
from schedule_bridge.wire.times import InstantError, format_instant, parse_instant

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be set here")

NOON = parse_instant("2026-01-15T11:00:00Z")  # 12:00 in Budapest


@pytest.fixture(autouse=True)
def _in_budapest() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        _move_to("Europe/Budapest", patch)
        yield
    time.tzset()


def _move_to(zone: str, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("TZ", zone)
    time.tzset()


def _first(text: str, at: int = NOON) -> str:
    return format_instant(read_moment(text, at).first)


def test_a_time_of_day_is_meant_in_local_time() -> None:
    assert _first("10:20") == "2026-01-15T09:20:00.000Z"


def test_a_time_of_day_that_is_to_come_was_yesterday() -> None:
    assert _first("12:00") == "2026-01-15T11:00:00.000Z"
    assert _first("12:01") == "2026-01-14T11:01:00.000Z"


def test_of_a_repeated_hour_the_latest_pass_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    _move_to("America/New_York", monkeypatch)
    assert _first("01:30", parse_instant("2026-11-01T05:45:00Z")) == "2026-11-01T05:30:00.000Z"
    assert _first("01:30", parse_instant("2026-11-01T08:00:00Z")) == "2026-11-01T06:30:00.000Z"


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("10:20", MINUTE),
        ("10:20:30", SECOND),
        ("2026-01-14 10:20", MINUTE),
        ("2026-01-14T10:20:30Z", SECOND),
        ("2026-01-14T10:20:30.123Z", SECOND // 1000),
    ],
)
def test_a_time_is_as_long_as_it_is_exact(text: str, length: int) -> None:
    moment = read_moment(text, NOON)
    assert moment.last - moment.first + 1 == length


def test_a_day_can_be_named() -> None:
    assert _first("2025-07-01 10:20:30") == "2025-07-01T08:20:30.000Z"


@pytest.mark.parametrize("text", ["", "noon", "25:00", "10", "2026-01-14T10:20:30", "10:20:61"])
def test_other_texts_are_no_times(text: str) -> None:
    with pytest.raises(InstantError):
        read_moment(text, NOON)


def test_only_another_day_shows_its_date() -> None:
    assert local_time("2026-01-15T09:20:00.500Z", NOON) == "10:20:00"
    assert local_time("2026-01-14T09:20:00.000Z", NOON) == "2026-01-14 10:20:00"
    assert local_time(None, NOON) == ""


@pytest.mark.parametrize("instant", ["2026-01-15T09:20:00.000Z", "2025-07-01T09:20:00.000Z"])
def test_a_time_that_is_shown_can_be_typed(instant: str) -> None:
    assert _first(local_time(instant, NOON)) == instant
