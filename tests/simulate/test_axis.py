"""Round times on the axis."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_bridge.simulate.picture.axis import round_times
from schedule_bridge.wire.times import parse_instant

SECOND = 1_000_000
MIDNIGHT = parse_instant("2026-01-01T00:00:00Z")
TEN_YEARS = 316_224_000 * SECOND


@given(st.integers(4, TEN_YEARS))
def test_there_are_four_to_six_from_midnight_on(span: int) -> None:
    assert 4 <= len(round_times(MIDNIGHT, span)) <= 6


@given(st.integers(4, TEN_YEARS), st.integers(0, TEN_YEARS))
def test_there_are_never_more_and_all_lie_in_view(span: int, later: int) -> None:
    times = round_times(MIDNIGHT + later, span)
    assert 3 <= len(times) <= 6
    assert all(0 <= at <= span for at, _ in times)


@pytest.mark.parametrize(
    ("start", "seconds", "labels"),
    [
        ("2026-01-01T10:00:00Z", 7200, ["10:00", "10:30", "11:00", "11:30", "12:00"]),
        ("2026-01-01T10:07:00Z", 3000, ["10:10", "10:20", "10:30", "10:40", "10:50"]),
        ("2026-01-01T00:00:00Z", 4, ["00:00:00", "00:00:01", "00:00:02", "00:00:03", "00:00:04"]),
        (
            "2026-01-01T00:00:00Z",
            0.8,
            ["00:00:00", "00:00:00.2", "00:00:00.4", "00:00:00.6", "00:00:00.8"],
        ),
        (
            "2026-01-01T12:00:00Z",
            108_000,
            ["12:00", "18:00", "2026-01-02", "06:00", "12:00", "18:00"],
        ),
        ("9999-12-31T00:00:00Z", 172_800, ["9999-12-31", "12:00"]),
    ],
)
def test_labels_are_as_fine_as_their_step(start: str, seconds: float, labels: list[str]) -> None:
    times = round_times(parse_instant(start), round(seconds * SECOND))
    assert [label for _, label in times] == labels
