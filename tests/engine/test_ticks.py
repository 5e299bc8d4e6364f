"""R23, R24: a tick is dispatched once, at or after its instant, or counted as missed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from schedule_bridge.core.model import SECOND

from .rig import EVERY_MINUTE, EVERY_TEN_SECONDS

if TYPE_CHECKING:
    from .rig import Rig


async def test_ticks_come_on_the_grid_of_the_first_registration(rig: Rig) -> None:
    await rig.pass_time(5)
    await rig.set(schedule=EVERY_MINUTE, overlapPolicy="allow", maxConcurrent=9)
    await rig.pass_time(180)
    assert await rig.scheduled() == [65, 125, 185]


async def test_a_tick_is_never_fired_early(rig: Rig) -> None:
    rig.clock.early = SECOND // 1000
    await rig.set(schedule=EVERY_MINUTE, overlapPolicy="allow", maxConcurrent=9)
    await rig.pass_time(120)
    decided = [each.decided_at for each in await rig.decisions()]
    assert [rig.seconds(instant) for instant in decided] == [60, 120]


async def test_a_tick_is_not_late_where_the_system_ends_long_waits_late(rig: Rig) -> None:
    rig.clock.sluggish = True
    await rig.pass_time(0.0003)
    await rig.set(schedule=EVERY_MINUTE, overlapPolicy="skip")
    await rig.pass_time(250)
    decided = [rig.seconds(each.decided_at) for each in await rig.decisions()]
    assert decided == [60.0003, 120.0003, 180.0003, 240.0003]


async def test_a_long_run_never_makes_ticks_pile_up(rig: Rig) -> None:
    await rig.set(schedule=EVERY_TEN_SECONDS, maxRunMinutes=5)
    await rig.pass_time(10)
    (run,) = (await rig.active()).values()
    await rig.claim(run)
    await rig.pass_time(30)
    await rig.finish(run)
    await rig.pass_time(5)
    assert await rig.verdicts() == ["started", *["skipped active"] * 3]


async def test_ticks_passed_over_while_the_engine_was_stuck_are_missed(rig: Rig) -> None:
    await rig.set(schedule=EVERY_TEN_SECONDS, overlapPolicy="allow", maxConcurrent=9)
    rig.clock.stand_still_for(65)
    await rig.pass_time(15)
    assert await rig.missed() == [(10, 60, 6, "late")]
    assert await rig.scheduled() == [70, 80]


async def test_the_first_late_tick_still_fires_within_30_seconds(rig: Rig) -> None:
    await rig.set(schedule=EVERY_TEN_SECONDS, overlapPolicy="allow", maxConcurrent=9)
    rig.clock.stand_still_for(40)
    await rig.pass_time(0)
    assert await rig.scheduled() == [10]
    assert await rig.missed() == [(20, 40, 3, "late")]


async def test_ticks_from_before_the_start_were_missed_because_the_bridge_was_down(
    rig: Rig,
) -> None:
    await rig.set(schedule=EVERY_MINUTE)
    await rig.restart(down=600)
    await rig.pass_time(1)
    assert await rig.missed() == [(60, 600, 10, "down")]
    assert await rig.verdicts() == ["missed down"]


async def test_a_tick_handled_soon_after_a_restart_still_fires(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE)
    await rig.pass_time(50)
    await rig.restart(down=20)
    await rig.pass_time(1)
    assert await rig.scheduled() == [60]
    assert await rig.missed() == []


async def test_a_tick_is_decided_once_however_often_the_bridge_restarts(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, overlapPolicy="allow", maxConcurrent=9)
    await rig.pass_time(60)
    await rig.restart(down=0)
    await rig.restart(down=0)
    await rig.pass_time(1)
    assert await rig.scheduled() == [60]


@pytest.mark.parametrize(
    ("catch_up", "fired"),
    [("none", []), ("latest", [600]), ("all", [300, 360, 420, 480, 540, 600])],
)
async def test_what_follows_a_missed_stretch(rig: Rig, catch_up: str, fired: list[float]) -> None:
    await rig.set(
        schedule=EVERY_MINUTE,
        overlapPolicy="allow",
        maxConcurrent=99,
        catchUp=catch_up,
        catchUpWindowSeconds=330,
    )
    await rig.restart(down=605)
    await rig.pass_time(1)
    assert await rig.scheduled() == fired
    assert [stretch[2] for stretch in await rig.missed()] == [10]


async def test_at_most_a_hundred_ticks_are_caught_up(rig: Rig) -> None:
    await rig.set(
        schedule={"kind": "interval", "every": 1},
        overlapPolicy="allow",
        maxConcurrent=999,
        catchUp="all",
    )
    await rig.restart(down=1000)
    await rig.pass_time(0.5)
    assert await rig.scheduled() == list(range(901, 1001))


async def test_what_is_caught_up_passes_the_gates(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, catchUp="all")
    await rig.restart(down=185)
    await rig.pass_time(1)
    assert await rig.verdicts() == ["missed down", "started", "skipped active", "skipped active"]


async def test_a_stretch_and_its_catch_up_are_one_commit(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, catchUp="latest")
    await rig.restart(down=600)
    await rig.pass_time(1)
    (batch,) = [each for each in rig.store.batches if each.missed]
    assert len(batch.missed) == 1
    assert len(batch.executions) == 1


async def test_a_paused_trigger_skips_its_ticks(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE)
    await rig.pause()
    await rig.pass_time(120)
    assert await rig.verdicts() == ["skipped paused", "skipped paused"]


async def test_one_triggers_trouble_stops_no_other(rig: Rig) -> None:
    """Whatever goes wrong with a tick, the others of that instant come."""
    for name in ("a", "b", "c"):
        await rig.set(name, schedule=EVERY_MINUTE)
    house = await rig.house()
    broken = house.memory.registrations.pop(next(iter(house.memory.registrations)))
    await rig.pass_time(60)
    house.memory.registrations[broken.config.trigger_id] = broken
    assert sorted(each.trigger_id for each in await rig.decisions()) == ["b", "c"]


async def test_a_stretch_from_the_time_off_is_recorded_when_it_is_decided(rig: Rig) -> None:
    client = await rig.client()
    await client.here({"triggerId": "t", "schedule": EVERY_MINUTE})
    await rig.restart(down=600)
    await rig.pass_time(50)
    await (await rig.client()).here()
    assert await rig.missed() == [(60, 600, 10, "down")]
    assert [rig.seconds(each.decided_at) for each in await rig.decisions()] == [650]
