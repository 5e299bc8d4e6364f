"""A next tick is kept, and computed anew only when other zone data computed it (R23, R25)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.model import TriggerId
from schedule_bridge.schedule import ZONE_DATA_VERSION

from .rig import SECOND

if TYPE_CHECKING:
    from schedule_bridge.core.model import Duration
    from schedule_bridge.store import TriggerRecord

    from .rig import Rig

EVERY_MINUTE = {"kind": "cron", "expression": "* * * * *", "timezone": "Europe/Berlin"}
NAME = TriggerId("t")
OTHER = "of another year"


async def kept(rig: Rig) -> TriggerRecord:
    """The trigger as the store has it."""
    await rig.settle()
    (record,) = (await rig.store.load()).triggers
    return record


async def left_by(rig: Rig, zone_data: str | None, moved_by: Duration) -> None:
    """The store as a bridge with those zone data has left it: its tick lies elsewhere."""
    await rig.set(schedule=EVERY_MINUTE)
    record = await kept(rig)
    assert record.next_tick is not None
    record.next_tick += moved_by
    record.zone_data = zone_data
    batch = rig.store.batches[-1]
    batch.triggers[NAME] = record
    await rig.store.append(batch)


async def test_a_kept_tick_is_taken_as_it_is(rig: Rig) -> None:
    await left_by(rig, ZONE_DATA_VERSION, -30 * SECOND)
    await rig.restart()
    await rig.pass_time(29)
    assert await rig.scheduled() == [30]


async def test_a_tick_of_other_zone_data_is_computed_anew(rig: Rig) -> None:
    for zone_data, tick in ((OTHER, 60), (None, 120)):
        await left_by(rig, zone_data, -30 * SECOND)
        await rig.restart()
        record = await kept(rig)
        assert (rig.seconds(record.next_tick or 0), record.zone_data) == (tick, ZONE_DATA_VERSION)
        await rig.pass_time(60)


async def test_ticks_that_new_zone_data_put_into_the_time_off_are_missed(rig: Rig) -> None:
    await left_by(rig, OTHER, 3600 * SECOND)
    await rig.restart(down=300)
    await rig.pass_time(1)
    assert await rig.missed() == [(60, 300, 5, "down")]


async def test_a_tick_that_waited_for_its_client_still_does(rig: Rig) -> None:
    client = await rig.client()
    await client.here({"triggerId": "t", "schedule": EVERY_MINUTE})
    await client.away()
    await rig.pass_time(200)
    record = await kept(rig)
    record.zone_data = OTHER
    batch = rig.store.batches[-1]
    batch.triggers[NAME] = record
    await rig.store.append(batch)
    await rig.restart()
    record = await kept(rig)
    assert (rig.seconds(record.next_tick or 0), record.zone_data) == (60, ZONE_DATA_VERSION)
