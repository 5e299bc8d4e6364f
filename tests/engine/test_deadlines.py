"""R21: deadlines by a timer; after a start of the bridge a client has time to hand in its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rig import EVERY_MINUTE

if TYPE_CHECKING:
    import pytest

    from schedule_bridge.core.model import Execution

    from .link import Client
    from .rig import Rig

TRIGGER = {"triggerId": "t", "maxRunMinutes": 5}


async def running(rig: Rig) -> tuple[Client, Execution]:
    client = await rig.client()
    await client.here(TRIGGER)
    await rig.fire()
    return client, await client.claim()


async def test_a_run_that_reaches_its_deadline_is_expired_and_told(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    client, _ = await running(rig)
    await rig.pass_time(300)
    assert client.told[-1] == "ended t expired deadline"
    assert any(
        record.levelname == "WARNING" and "reached its limit after 5 min" in record.message
        for record in caplog.records
    )


async def test_an_expired_run_gives_its_slot_back(rig: Rig) -> None:
    await running(rig)
    await rig.pass_time(299)
    assert await rig.fire() == ["skipped"]
    await rig.pass_time(1)
    assert await rig.fire() == ["started"]


async def test_five_intervals_are_the_limit_of_a_scheduled_run(rig: Rig) -> None:
    client = await rig.client()
    await client.here({"triggerId": "t", "schedule": EVERY_MINUTE})
    await rig.pass_time(60)
    run = await client.claim()
    assert run.deadline is not None
    assert rig.seconds(run.deadline) == 360


async def test_a_deadline_that_passed_meanwhile_waits_for_its_client(rig: Rig) -> None:
    _, run = await running(rig)
    await rig.restart(down=600)
    await rig.pass_time(10)
    assert await rig.states() == ["running"]
    client = await rig.client()
    assert await client.finish(run) is None
    await client.here(TRIGGER, runs=[])
    assert await rig.ends() == ["completed None"]


async def test_once_its_client_is_here_a_passed_deadline_counts(rig: Rig) -> None:
    _, run = await running(rig)
    await rig.restart(down=600)
    client = await rig.client()
    await client.here(TRIGGER, runs=[run.execution_id])
    await rig.settle()
    assert client.told == ["ended t expired deadline"]


async def test_nobody_is_waited_for_longer_than_30_seconds(rig: Rig) -> None:
    await running(rig)
    await rig.restart(down=600)
    await rig.pass_time(29)
    assert await rig.states() == ["running"]
    await rig.pass_time(1)
    assert await rig.states() == ["expired"]


async def test_a_deadline_just_after_the_start_waits_for_the_client_too(rig: Rig) -> None:
    _, run = await running(rig)
    await rig.restart(down=299)
    await rig.pass_time(5)
    client = await rig.client()
    assert await client.finish(run) is None


async def test_without_a_client_there_is_nobody_to_wait_for(rig: Rig) -> None:
    await rig.set(maxRunMinutes=5)
    await rig.run()
    await rig.restart(down=600)
    await rig.pass_time(0.1)
    assert await rig.states() == ["expired"]


async def test_the_deadline_of_a_paused_run_is_not_judged_at_its_clients_return(rig: Rig) -> None:
    client, run = await running(rig)
    await rig.command("pause", run.execution_id)
    await client.disconnect()
    await rig.pass_time(600)
    again = await rig.client()
    await again.here(TRIGGER, runs=[run.execution_id])
    await rig.settle()
    assert await rig.states() == ["paused"]


async def test_r21_a_late_wake_up_expires_a_run_before_it_judges_an_older_tick(rig: Rig) -> None:
    """The engine was stuck from before the tick until after the deadline."""
    await rig.set(schedule=EVERY_MINUTE, maxRunMinutes=1)
    await rig.pass_time(5)
    await rig.run()
    await rig.pass_time(50)
    rig.clock.stand_still_for(20)
    await rig.pass_time(1)
    assert await rig.states() == ["expired", "pending"]
    assert await rig.verdicts() == ["started", "started"]
