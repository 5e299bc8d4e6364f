"""R24: a tick whose client is not here waits for it, up to 30 s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rig import EVERY_MINUTE, EVERY_TEN_SECONDS

if TYPE_CHECKING:
    from .rig import Rig

T = {"triggerId": "t", "schedule": EVERY_MINUTE}
SCARCE = {"triggerId": "t", "schedule": {"kind": "interval", "every": 45}}


async def test_a_tick_fires_when_its_client_returns_within_30_seconds(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await client.away()
    await rig.pass_time(89)
    assert await rig.verdicts() == []
    await client.here(T)
    await rig.settle()
    assert client.offered == ["t"]
    assert await rig.scheduled() == [60]


async def test_a_tick_whose_client_returns_later_is_missed(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await client.away()
    await rig.pass_time(91)
    await client.here(T)
    await rig.settle()
    assert await rig.missed() == [(60, 60, 1, "client")]
    assert client.told == ["decision t missed"]


async def test_one_tick_waits_and_later_ones_are_missed(rig: Rig) -> None:
    client = await rig.client()
    often = {"triggerId": "t", "schedule": EVERY_TEN_SECONDS}
    await client.here(often)
    await client.away()
    await rig.pass_time(35)
    await client.here(often)
    await rig.settle()
    assert await rig.scheduled() == [10]
    assert await rig.missed() == [(20, 30, 2, "client")]


async def test_a_long_absence_is_one_stretch_and_may_be_caught_up(rig: Rig) -> None:
    client = await rig.client()
    await client.here({**T, "catchUp": "latest"})
    await client.disconnect()
    await rig.pass_time(605)
    again = await rig.client()
    await again.here({**T, "catchUp": "latest"})
    await rig.settle()
    assert await rig.missed() == [(60, 600, 10, "client")]
    assert await rig.scheduled() == [600]


async def test_a_tick_that_waits_survives_a_restart(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await client.away()
    await rig.pass_time(65)
    await rig.restart(down=5)
    again = await rig.client()
    await again.here(T)
    await rig.settle()
    assert again.offered == ["t"]
    assert await rig.scheduled() == [60]


async def test_a_tick_that_waits_meets_a_changed_configuration(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await client.away()
    await rig.pass_time(65)
    await client.here({**T, "payload": "new"})
    await rig.settle()
    assert [execution.payload for execution in client.offers] == ["new"]


async def test_a_tick_that_waits_is_missed_when_its_schedule_is_another_one(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await client.away()
    await rig.pass_time(65)
    await client.here(SCARCE)
    await rig.pass_time(45)
    assert await rig.missed() == [(60, 60, 1, "client")]
    assert await rig.scheduled() == [110]


async def test_a_tick_that_waits_is_missed_when_its_trigger_is_detached(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await client.away()
    await rig.pass_time(65)
    await client.here()
    assert await rig.missed() == [(60, 60, 1, "client")]


async def test_a_late_tick_of_a_moved_trigger_was_missed_for_its_client(rig: Rig) -> None:
    first = await rig.client("a")
    await first.here(T)
    await first.disconnect()
    await rig.pass_time(115)
    second = await rig.client("b")
    await second.here(T)
    await rig.pass_time(1)
    assert await rig.missed() == [(60, 60, 1, "client")]
