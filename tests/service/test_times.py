"""Instants as text: RFC 3339 and microseconds since the epoch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_bridge.wire.times import InstantError, format_instant, parse_instant

FIRST, LAST = -62_135_596_800_000_000, 253_402_300_799_999_999


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-01-01T00:00:00.000Z", 1_767_225_600_000_000),
        ("2026-01-01T02:00:00+02:00", 1_767_225_600_000_000),
        ("2025-12-31T18:30:00-05:30", 1_767_225_600_000_000),
        ("1970-01-01T00:00:00.1234567Z", 123_456),
        ("1969-12-31T23:59:59.9Z", -100_000),
        ("0001-01-01T00:00:00Z", FIRST),
        ("9999-12-31T23:59:59.999999Z", LAST),
    ],
)
def test_text_is_read(text: str, instant: int) -> None:
    assert parse_instant(text) == instant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-01-01",
        "2026-01-01T00:00:00",
        "2026-01-01 00:00:00Z",
        "2026-01-01T00:00:00Z\n",
        "2026-01-01T00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T23:59:60Z",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00.1234567890Z",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00+0200",
        "٢٠٢٦-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "20260101T000000Z",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InstantError):
        parse_instant(text)


def test_text_shows_utc_and_floors_to_milliseconds() -> None:
    assert format_instant(1_767_225_600_000_999) == "2026-01-01T00:00:00.000Z"
    assert format_instant(-1) == "1969-12-31T23:59:59.999Z"


@given(st.integers(FIRST, LAST))
def test_what_is_shown_reads_as_the_same_millisecond(instant: int) -> None:
    assert parse_instant(format_instant(instant)) == instant // 1000 * 1000
