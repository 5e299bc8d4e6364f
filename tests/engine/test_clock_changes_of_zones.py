"""R25 in the engine: the clocks of real zones change under it, in both hemispheres."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from schedule_bridge.core.model import SECOND
from schedule_bridge.store import ExecutionQuery
from schedule_bridge.wire.times import format_instant, parse_instant

from .rig import Rig

if TYPE_CHECKING:
    from pathlib import Path

HOUR = 3600
ALLOW: dict[str, Any] = {"overlapPolicy": "allow", "maxConcurrent": 99}


async def fired_from(folder: Path, begin: str, schedule: dict[str, Any], hours: int) -> list[str]:
    """The ticks that a bridge fires which starts at that instant and runs for so long."""
    rig = Rig(folder)
    rig.clock.set_wall((parse_instant(begin) - rig.clock.wall()) / SECOND)
    await rig.start()
    try:
        await rig.set(schedule={"kind": "cron", **schedule}, **ALLOW)
        await rig.pass_time(hours * HOUR)
        executions = await rig.store.executions(ExecutionQuery(limit=1000))
        assert all(0 <= each.created_at - each.scheduled_at < SECOND for each in executions)
        assert await rig.missed() == []
        return [format_instant(each.scheduled_at)[:16] for each in reversed(executions)]
    finally:
        await rig.stop()


@pytest.mark.parametrize(
    ("timezone", "begin", "expression", "ticks"),
    [
        # forward: a time that does not exist runs when the clocks move
        ("Europe/Berlin", "2026-03-29T00:00Z", "30 2 * * *", ["2026-03-29T01:00"]),
        ("America/Santiago", "2026-09-06T03:00Z", "0 0 * * *", ["2026-09-06T04:00"]),
        ("Australia/Lord_Howe", "2026-10-03T14:30Z", "15 2 * * *", ["2026-10-03T15:30"]),
        # back: a time that comes twice runs the first time
        ("Europe/Berlin", "2026-10-24T23:30Z", "30 2 * * *", ["2026-10-25T00:30"]),
        ("Australia/Lord_Howe", "2026-04-04T14:00Z", "45 1 * * *", ["2026-04-04T14:45"]),
        ("Africa/Casablanca", "2026-02-15T00:30Z", "30 2 * * *", ["2026-02-15T01:30"]),
        # real time: in both passes, and never at a time that does not exist
        (
            "Europe/Berlin",
            "2026-10-24T23:30Z",
            "*/30 2 * * *",
            ["2026-10-25T00:00", "2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30"],
        ),
        ("Europe/Berlin", "2026-03-29T00:00Z", "*/30 2 * * *", []),
        # a day that is left out is not made up for
        ("Pacific/Apia", "2011-12-30T09:00Z", "0 1 * * *", ["2011-12-30T11:00"]),
        # 29 February
        ("UTC", "2028-02-28T23:00Z", "0 0 29 2 *", ["2028-02-29T00:00"]),
        ("UTC", "2027-02-28T23:00Z", "0 0 29 2 *", []),
    ],
)
async def test_hours_in_which_the_clocks_change(
    tmp_path: Path, timezone: str, begin: str, expression: str, ticks: list[str]
) -> None:
    schedule = {"expression": expression, "timezone": timezone}
    begin = begin.replace("Z", ":00Z")
    assert await fired_from(tmp_path, begin, schedule, hours=3) == ticks
