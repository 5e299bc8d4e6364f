"""The bench judges ratios as its page says, and its page shows what was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bench.measures import ROWS
from bench.page import page
from bench.record import Measured, kept, record
from bench.rounds import Rounds
from bench.row import Comparison, Row, at_least, at_most
from bench.said import NOT_MET
from bench.short import fallen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def compared(ours: float, *, limit: float = 0.6) -> Comparison:
    return Comparison("fire → skip", "an echo", ours, 100, "a second", at_least(limit))


def row(*rounds: float) -> Row:
    """A row whose figure is another one each time."""
    figures: Iterator[float] = iter(rounds)
    return Row("http", "decisions", "How.", lambda _: [compared(next(figures))])


def recorded(ratio: float, *, noisy: bool = False) -> dict[str, Any]:
    comparison = {"what": "fire → skip", "against": "an echo", "ratio": ratio}
    return {"rows": {"http": {"comparisons": [comparison], "noisy": noisy}}}


def test_contestants_take_turns_and_the_median_counts() -> None:
    order: list[str] = []
    figures = iter([1.0, 9.0, 2.0])

    def ours() -> dict[str, float]:
        order.append("ours")
        return {"per second": next(figures)}

    def theirs() -> dict[str, float]:
        order.append("theirs")
        return {"per second": 5.0}

    taken = Rounds(count=3).alternate({"ours": ours, "theirs": theirs})
    assert order == ["ours", "theirs", "theirs", "ours", "ours", "theirs"]
    assert taken == {"ours": {"per second": 2.0}, "theirs": {"per second": 5.0}}


def test_a_ratio_is_judged_by_its_target() -> None:
    assert compared(60).is_met
    assert not compared(59).is_met
    assert at_most(1.3).is_met_by(1.3)
    assert not at_most(1.3).is_met_by(1.31)


@pytest.mark.parametrize(
    ("rounds", "fell"),
    [((17, 17, 17), ["fire → skip"]), ((17, 17, 18), []), ((60,), [])],
)
def test_the_short_form_fails_below_a_part_of_the_record_three_times_in_a_row(
    rounds: tuple[float, ...], fell: list[str]
) -> None:
    assert fallen(row(*rounds), recorded(0.6), Rounds(1, 1), lambda _: None) == fell


@pytest.mark.parametrize("before", [{"rows": {}}, recorded(0.6, noisy=True)])
def test_what_was_never_recorded_in_quiet_cannot_fall(before: dict[str, Any]) -> None:
    assert fallen(row(1), before, Rounds(1, 1), lambda _: None) == []


def test_the_page_shows_what_was_recorded_and_whether_it_may_be_quoted(tmp_path: Path) -> None:
    quiet = Measured(ROWS[0], [compared(61)], others=0.0)
    disturbed = Measured(ROWS[1], [compared(30)], others=0.5)
    shown = page(record([quiet, disturbed], load_before=0.2, docs=tmp_path))
    assert "| an echo | 61 | 100 a second | 0.61 | at least 0.6 | met |" in shown
    assert "| 0.30 | at least 0.6 | **not met** (noisy) |" in shown
    assert ROWS[0].how in shown


def test_of_each_target_that_is_not_met_the_page_says_why_and_of_no_other() -> None:
    rows = kept()["rows"]
    missed = {name for name in rows if not all(each["met"] for each in rows[name]["comparisons"])}
    assert set(NOT_MET) == missed
