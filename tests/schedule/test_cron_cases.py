"""Right answers from a real cron on a shifted clock and by hand (R25)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict

import pytest

from schedule_bridge.schedule import Schedule, preview


class Case(TypedDict):
    name: str
    expression: str
    timezone: str
    after: str
    next: list[str]


CASES: list[Case] = json.loads(Path(__file__).with_name("cron-cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_ticks_come_when_debian_cron_would_run(
    case: Case, cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    schedule = cron(case["expression"], case["timezone"])
    after, expected = instant(case["after"]), [instant(text) for text in case["next"]]
    assert [tick.at for tick in preview(schedule, count=len(expected), after=after)] == expected
    assert schedule.latest_between(after, expected[-1], len(expected) + 1) == expected


def test_no_case_is_missing() -> None:
    assert len(CASES) == 32
