"""Everything that was accepted survives a restart (overlap.md, section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from databases.stores import EVERY_KIND
from schedule_bridge.core.model import TriggerId, WorkspaceId
from schedule_bridge.engine import KeyReusedError
from schedule_bridge.store.payloads import pack_value, unpack_object

from .rig import EVERY_MINUTE

if TYPE_CHECKING:
    from store.open_stores import MakeStore

    from .rig import Rig


@pytest.fixture(params=EVERY_KIND)
def make_store(request: pytest.FixtureRequest) -> MakeStore:
    make: MakeStore = request.param
    return make


async def test_triggers_with_their_pause_and_grid(rig: Rig) -> None:
    await rig.pass_time(7)
    await rig.set(schedule=EVERY_MINUTE, name="mine", payload={"n": 1})
    await rig.pause()
    await rig.restart()
    house = await rig.house()
    registration = house.memory.registrations[TriggerId("t")]
    assert registration.raw["payload"] == {"n": 1}
    assert registration.next_tick is not None
    assert rig.seconds(registration.next_tick) == 67
    assert await rig.fire() == ["skipped"]


async def test_a_running_execution_with_its_deadline(rig: Rig) -> None:
    await rig.set(maxRunMinutes=5)
    before = await rig.run(payload={"n": 1})
    await rig.restart()
    after = (await rig.active())[1]
    assert (after.state, after.deadline, after.payload) == (
        "running",
        before.deadline,
        {"n": 1},
    )
    await rig.pass_time(298)
    assert await rig.ends() == []
    await rig.pass_time(2)
    assert await rig.ends() == ["expired deadline"]


async def test_a_queued_start_still_fires(rig: Rig) -> None:
    await rig.set(overlapPolicy="queue")
    run = await rig.run()
    assert await rig.fire(payload={"late": True}) == ["queued"]
    await rig.restart()
    await rig.finish(run)
    assert await rig.states() == ["completed", "pending"]
    (queued,) = (await rig.active()).values()
    assert queued.payload == {"late": True}


async def test_a_merge_after_a_restart_finds_the_queued_one(rig: Rig) -> None:
    await rig.set(overlapPolicy="queue")
    await rig.run()
    await rig.fire(payload={"a": 1})
    await rig.restart()
    assert await rig.fire(payload={"b": 2}) == ["merged"]
    queued = (await rig.active())[2]
    assert (queued.payload, queued.merged_firings) == ({"a": 1, "b": 2}, 1)


async def test_a_delayed_firing_is_ready_at_its_time(rig: Rig) -> None:
    await rig.set(delaySeconds=30)
    await rig.fire(payload={"n": 1})
    await rig.restart(down=10)
    await rig.pass_time(19)
    assert await rig.states() == []
    await rig.pass_time(1)
    assert await rig.states() == ["pending"]


async def test_a_delay_that_passed_meanwhile_is_over_at_once(rig: Rig) -> None:
    await rig.set(delaySeconds=30)
    await rig.fire()
    await rig.restart(down=100)
    await rig.pass_time(0.1)
    assert await rig.states() == ["pending"]


async def test_a_buffered_firing_keeps_its_slot(rig: Rig) -> None:
    await rig.set(overlapPolicy="buffer")
    run = await rig.run()
    assert await rig.fire(payload="held") == ["buffered"]
    await rig.restart()
    assert await rig.fire() == ["dropped"]
    await rig.finish(run)
    assert await rig.fire() == ["dropped"]
    (released,) = (await rig.active()).values()
    assert released.payload == "held"


async def test_holds_go_on_in_the_order_in_which_they_came(rig: Rig) -> None:
    await rig.engine.set_workspace(WorkspaceId("default"), 1)
    for name in ("a", "b", "c"):
        await rig.set(name)
    run = await rig.run("a")
    assert await rig.fire("c") + await rig.fire("b") == ["onHold", "onHold"]
    await rig.restart()
    await rig.finish(run)
    assert [each.trigger_id for each in (await rig.active()).values() if each.fencing_token] == [
        "c"
    ]


async def test_fencing_tokens_only_rise(rig: Rig) -> None:
    await rig.set()
    tokens = []
    for _ in range(3):
        run = await rig.run()
        tokens.append(run.fencing_token)
        await rig.finish(run)
        await rig.restart()
    assert tokens == [1, 2, 3]


async def test_a_paused_run_is_paused_still(rig: Rig) -> None:
    await rig.set(maxRunMinutes=1)
    run = await rig.run()
    await rig.pass_time(20)
    await rig.command("pause", run.execution_id)
    await rig.restart(down=600)
    await rig.pass_time(60)
    assert await rig.states() == ["paused"]
    await rig.command("resume", run.execution_id)
    await rig.pass_time(39)
    assert await rig.states() == ["running"]
    await rig.pass_time(1)
    assert await rig.states() == ["expired"]


async def test_a_request_of_the_same_name_gets_the_same_answer(rig: Rig) -> None:
    await rig.set()
    assert await rig.fire(key="k") == ["started"]
    await rig.restart()
    assert await rig.fire(key="k") == ["started"]
    assert await rig.states() == ["pending"]
    with pytest.raises(KeyReusedError):
        await rig.fire(key="k", body="another")


async def test_a_name_is_free_again_after_a_day(rig: Rig) -> None:
    await rig.set(overlapPolicy="allow", maxConcurrent=9)
    await rig.fire(key="k")
    await rig.restart(down=24 * 3600)
    await rig.pass_time(400)
    assert await rig.fire(key="k", body="another") == ["started"]


async def test_a_lock_key_is_held_still(rig: Rig) -> None:
    for name in ("a", "b"):
        await rig.set(name, lockKey="repo")
    run = await rig.run("a")
    await rig.restart()
    assert await rig.fire("b") == ["waiting"]
    await rig.restart()
    await rig.finish(run)
    assert await rig.states() == ["completed", "pending"]


async def test_a_schedule_that_means_nothing_any_more_stops_nothing(rig: Rig) -> None:
    await rig.set("sound", schedule=EVERY_MINUTE)
    await rig.set("t", schedule={"kind": "cron", "expression": "* * * * *", "timezone": "UTC"})
    house = await rig.house()
    record = rig.store.batches[-1].triggers[TriggerId("t")]
    assert record is not None
    schedule = {"kind": "cron", "expression": "* * * * *", "timezone": "Mars/Olympus"}
    body = {**unpack_object(record.configuration), "schedule": schedule}
    record.configuration, record.zone_data = pack_value(body), "of another year"
    await rig.store.append(rig.store.batches[-1])
    await rig.restart()
    await rig.pass_time(60)
    assert [each.trigger_id for each in await rig.decisions()] == ["sound"]
    assert await rig.fire("t") == ["started"]
    assert house is not await rig.house()


async def test_time_never_goes_back_over_a_restart(rig: Rig) -> None:
    await rig.set()
    before = rig.engine.now()
    rig.clock.set_wall(-86_400)
    await rig.restart(down=0)
    assert rig.engine.now() >= before
    assert rig.engine.ahead == 86_400 * 1_000_000
