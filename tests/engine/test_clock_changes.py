"""Engine time never goes back; a leap moves what waits along, and ticks alone jump (section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .rig import EVERY_MINUTE

if TYPE_CHECKING:
    from .rig import Rig

ALLOW: dict[str, Any] = {"overlapPolicy": "allow", "maxConcurrent": 9}
HOUR = 3600
THIRTY_YEARS = 30 * 365 * 24 * HOUR


async def test_a_clock_set_back_stops_nothing(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, **ALLOW)
    await rig.pass_time(30)
    rig.clock.set_wall(-HOUR)
    await rig.pass_time(100)
    assert await rig.scheduled() == [60, 120]
    assert rig.engine.ahead == HOUR * 1_000_000


async def test_engine_time_waits_for_no_clock_that_was_set_back(rig: Rig) -> None:
    before = rig.engine.now()
    rig.clock.set_wall(-HOUR)
    await rig.pass_time(20)
    await rig.set()
    assert rig.engine.now() == before + 20_000_000


async def test_a_clock_that_was_set_back_and_right_again_makes_no_leap(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, **ALLOW)
    rig.clock.set_wall(-HOUR)
    await rig.pass_time(70)
    rig.clock.set_wall(HOUR)
    await rig.pass_time(60)
    assert await rig.scheduled() == [60, 120]
    assert await rig.missed() == []
    assert rig.engine.ahead == 0


async def test_the_ticks_of_a_leap_are_a_missed_stretch(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, **ALLOW)
    await rig.pass_time(30)
    rig.clock.set_wall(HOUR)
    await rig.pass_time(35)
    assert await rig.missed() == [(60, 3600, 60, "late")]
    assert await rig.scheduled() == [3660]


async def test_a_leap_moves_a_deadline_along(rig: Rig) -> None:
    await rig.set(maxRunMinutes=5)
    await rig.run()
    await rig.pass_time(100)
    rig.clock.set_wall(HOUR)
    await rig.pass_time(199)
    assert await rig.states() == ["running"]
    await rig.pass_time(1)
    assert await rig.states() == ["expired"]


async def test_a_deadline_that_moved_along_stays_so_over_a_restart(rig: Rig) -> None:
    await rig.set(maxRunMinutes=5)
    await rig.run()
    rig.clock.set_wall(HOUR)
    await rig.pass_time(100)
    await rig.restart(down=100)
    await rig.pass_time(99)
    assert await rig.states() == ["running"]
    await rig.pass_time(1)
    assert await rig.states() == ["expired"]


async def test_a_leap_moves_a_delay_along(rig: Rig) -> None:
    await rig.set(delaySeconds=60)
    await rig.fire()
    rig.clock.set_wall(HOUR)
    await rig.pass_time(59)
    assert await rig.states() == []
    await rig.pass_time(1)
    assert await rig.states() == ["pending"]


@pytest.mark.parametrize("paused_for", [10, 1000])
async def test_a_leap_during_a_pause_gives_no_time_away(rig: Rig, paused_for: float) -> None:
    await rig.set(maxRunMinutes=5)
    run = await rig.run()
    await rig.pass_time(100)
    await rig.command("pause", run.execution_id)
    rig.clock.set_wall(HOUR)
    await rig.pass_time(paused_for)
    await rig.command("resume", run.execution_id)
    await rig.pass_time(199)
    assert await rig.states() == ["running"]
    await rig.pass_time(1)
    assert await rig.states() == ["expired"]


async def test_a_leap_moves_the_waits_for_clients_along(rig: Rig) -> None:
    client = await rig.client()
    await client.here({"triggerId": "t", "maxRunMinutes": 600})
    await rig.fire()
    await client.claim()
    await client.disconnect()
    rig.clock.set_wall(2 * HOUR)
    await rig.pass_time(HOUR - 1)
    assert await rig.states() == ["running"]
    await rig.pass_time(1)
    assert await rig.states() == ["interrupted"]


async def test_a_leap_is_noticed_without_anybody_asking(rig: Rig) -> None:
    await rig.set(schedule={"kind": "interval", "every": HOUR})
    rig.clock.set_wall(HOUR - 5)
    await rig.pass_time(15)
    assert await rig.scheduled() == [HOUR]


async def test_engine_time_does_not_go_back_over_a_restart(rig: Rig) -> None:
    """Even if nothing was decided since, so that no commit of a decision says how far it was."""
    rig.clock.set_wall(-HOUR)
    await rig.pass_time(200)
    before = rig.engine.now()
    await rig.restart(down=1)
    assert rig.engine.now() >= before
    assert rig.engine.ahead > 0


async def test_a_clock_that_is_set_back_a_little_never_turns_engine_time_back(rig: Rig) -> None:
    """A second is drift, not a step: engine time waits for the wall clock where it stands."""
    await rig.pass_time(10)
    rig.clock.set_wall(-1.5)
    rig.clock.stand_still_for(1)
    before = rig.engine.now()
    await rig.set()
    assert rig.engine.now() >= before
    await rig.pass_time(60)
    assert rig.engine.ahead == 0


async def test_a_jump_of_thirty_years_is_one_stretch_and_no_burst(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, catchUp="all", **ALLOW)
    await rig.set("daily", schedule={"kind": "cron", "expression": "0 0 * * *"}, **ALLOW)
    rig.clock.set_wall(THIRTY_YEARS)
    await rig.pass_time(61)
    ((first, _, count, reason),) = await rig.missed()
    assert (first, count, reason) == (60, THIRTY_YEARS // 60, "late")
    assert len(await rig.scheduled()) <= 60 + 1  # the last hour, caught up, and one on time
    assert [count for _, _, count, _ in await rig.missed("daily")] == [THIRTY_YEARS // (24 * HOUR)]


async def test_a_jump_of_thirty_years_back_stops_nothing(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, **ALLOW)
    rig.clock.set_wall(-THIRTY_YEARS)
    await rig.pass_time(125)
    await rig.restart(down=0)
    await rig.pass_time(60)
    assert await rig.scheduled() == [60, 120, 180]
    assert await rig.missed() == []
    assert rig.engine.ahead == THIRTY_YEARS * 1_000_000
