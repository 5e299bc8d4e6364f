"""How the tests of schedules write instants and make schedules."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from schedule_bridge.schedule import Schedule, parse_schedule


@pytest.fixture(scope="session")
def instant() -> Callable[[str], int]:
    """RFC 3339 text to microseconds; the seconds may be left out."""

    def to_instant(text: str) -> int:
        epoch = datetime.fromisoformat("1970-01-01T00:00Z")
        return (datetime.fromisoformat(text) - epoch) // timedelta(microseconds=1)

    return to_instant


@pytest.fixture(scope="session")
def cron() -> Callable[..., Schedule]:
    """An expression, and perhaps a time zone, to a cron schedule."""

    def make(expression: str, timezone: str | None = None) -> Schedule:
        config = {"kind": "cron", "expression": expression, "timezone": timezone}
        return parse_schedule(config, default_anchor=0)

    return make
