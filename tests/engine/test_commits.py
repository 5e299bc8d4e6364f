"""Group commit: nothing is answered or told before it is durable; a failing store loses nothing."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import pytest

from databases.stores import EVERY_KIND
from schedule_bridge.core.model import TriggerId
from schedule_bridge.core.refusal import Refused
from schedule_bridge.engine import StoreUnavailableError
from schedule_bridge.store import StoreError

from .clock import let_tasks_run
from .rig import EVERY_MINUTE, EVERY_TEN_SECONDS

if TYPE_CHECKING:
    from store.open_stores import MakeStore

    from .rig import Rig


@pytest.fixture(params=EVERY_KIND)
def make_store(request: pytest.FixtureRequest) -> MakeStore:
    make: MakeStore = request.param
    return make


async def test_an_answer_waits_for_its_commit(rig: Rig) -> None:
    await rig.set()
    rig.store.free_to_write.clear()
    asked = asyncio.create_task(rig.fire())
    await let_tasks_run()
    assert not asked.done()
    rig.store.free_to_write.set()
    assert await asked == ["started"]


async def test_an_offer_waits_for_its_commit(rig: Rig) -> None:
    client = await rig.client()
    await client.here({"triggerId": "t"})
    rig.store.free_to_write.clear()
    asked = asyncio.create_task(rig.fire())
    await let_tasks_run()
    assert client.offers == []
    rig.store.free_to_write.set()
    await asked
    assert client.offered == ["t"]


async def test_an_answer_follows_on_what_its_commit_tells(rig: Rig) -> None:
    client = await rig.client()
    await client.here({"triggerId": "t"})
    rig.store.free_to_write.clear()
    asked = asyncio.create_task(rig.fire())
    await let_tasks_run()
    offered: list[int] = []
    rig.engine.when_durable(lambda _: offered.append(len(client.offers)))
    rig.store.free_to_write.set()
    await asked
    assert offered == [1]


async def test_the_log_says_what_is_durable_and_nothing_else(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "schedule_bridge.decisions")
    await rig.set()
    rig.store.free_to_write.clear()
    asked = asyncio.create_task(rig.fire())
    await let_tasks_run()
    assert caplog.messages == []
    rig.store.fault = StoreError("The disk is gone.")
    rig.store.free_to_write.set()
    with pytest.raises(StoreUnavailableError):
        await asked
    assert not any(message.startswith("Started") for message in caplog.messages)


async def test_what_comes_during_a_commit_shares_the_next_one(rig: Rig) -> None:
    await rig.set(overlapPolicy="allow", maxConcurrent=99)
    rig.store.batches.clear()
    rig.store.free_to_write.clear()
    asked = [asyncio.create_task(rig.fire()) for _ in range(20)]
    await let_tasks_run()
    rig.store.free_to_write.set()
    await asyncio.gather(*asked)
    assert [len(batch.executions) for batch in rig.store.batches] in ([20], [1, 19])


async def fire_after(turns: int, rig: Rig) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)
    await rig.fire()


async def test_what_comes_turn_by_turn_shares_a_commit(rig: Rig) -> None:
    await rig.set(overlapPolicy="allow", maxConcurrent=99)
    rig.store.batches.clear()
    await asyncio.gather(*(fire_after(turns, rig) for turns in range(20)))
    assert [len(batch.executions) for batch in rig.store.batches] == [20]


async def test_a_commit_does_not_wait_for_ever_while_more_comes(rig: Rig) -> None:
    await rig.set(overlapPolicy="allow", maxConcurrent=999)
    rig.store.batches.clear()
    await asyncio.gather(*(fire_after(turns, rig) for turns in range(200)))
    assert 64 <= len(rig.store.batches[0].executions) < 100


async def test_a_question_shows_nothing_that_is_not_durable(rig: Rig) -> None:
    await rig.set()
    rig.store.free_to_write.clear()
    fired = asyncio.create_task(rig.fire())
    asked = asyncio.create_task(rig.states())
    await let_tasks_run()
    assert not asked.done()
    rig.store.free_to_write.set()
    assert (await fired, await asked) == (["started"], ["pending"])


async def test_a_refusal_waits_for_what_it_rests_on(rig: Rig) -> None:
    await rig.set()
    run = await rig.run()
    rig.store.free_to_write.clear()
    first = asyncio.create_task(rig.command("pause", run.execution_id))
    await let_tasks_run()
    second = asyncio.create_task(rig.command("pause", run.execution_id))
    await let_tasks_run()
    assert not second.done()
    rig.store.free_to_write.set()
    await first
    with pytest.raises(Refused):
        await second


FAULTS = [StoreError("The disk is full."), TypeError("nobody has thought of this")]


@pytest.mark.parametrize("fault", FAULTS, ids=["of the store", "unforeseen"])
async def test_a_failed_commit_is_refused_and_counts_for_nothing(
    rig: Rig, fault: Exception
) -> None:
    await rig.set()
    rig.store.fault = fault
    with pytest.raises(StoreUnavailableError):
        await rig.fire()
    with pytest.raises(StoreUnavailableError):
        await rig.fire()
    rig.store.fault = None
    await rig.pass_time(10)
    assert (await rig.active(), await rig.fire()) == ({}, ["started"])


async def test_everything_decided_during_a_failing_commit_is_refused(rig: Rig) -> None:
    await rig.set(overlapPolicy="allow", maxConcurrent=99)
    rig.store.free_to_write.clear()
    asked = [asyncio.create_task(rig.fire()) for _ in range(5)]
    await let_tasks_run()
    rig.store.fault = StoreError("The disk is full.")
    rig.store.free_to_write.set()
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert {type(result) for result in results} == {StoreUnavailableError}


async def test_a_failing_store_closes_the_links_and_tells_nothing(rig: Rig) -> None:
    client = await rig.client()
    await client.here({"triggerId": "t"})
    rig.store.fault = StoreError("The disk is full.")
    with pytest.raises(StoreUnavailableError):
        await rig.fire()
    assert client.closed
    assert client.told == []


async def test_after_a_failure_a_client_finds_its_starts_again(rig: Rig) -> None:
    client = await rig.client()
    await client.here({"triggerId": "t"})
    await rig.fire()
    rig.store.fault = StoreError("The disk is full.")
    with pytest.raises(StoreUnavailableError):
        await client.claim()
    await client.disconnect()
    rig.store.fault = None
    await rig.pass_time(10)
    again = await rig.client()
    await again.here({"triggerId": "t"})
    run = await again.claim()
    assert (again.offered, run.state) == (["t"], "running")


async def test_the_store_is_tried_again_until_it_can_be_read(rig: Rig) -> None:
    await rig.set()
    rig.store.fault = StoreError("The disk is gone.")
    with pytest.raises(StoreUnavailableError):
        await rig.fire()
    await rig.pass_time(300)
    down = rig.engine.ready
    rig.store.fault = None
    await rig.pass_time(30)
    assert (down, rig.engine.ready) == (False, True)


async def test_a_store_that_can_be_read_only_is_not_ready(rig: Rig) -> None:
    await rig.set()
    rig.store.full = True
    with pytest.raises(StoreUnavailableError):
        await rig.fire()
    await rig.pass_time(300)
    down = rig.engine.ready
    rig.store.full = False
    await rig.pass_time(30)
    assert (down, rig.engine.ready) == (False, True)
    assert await rig.fire() == ["started"]


async def test_a_commit_that_never_succeeds_is_not_tried_ever_faster(rig: Rig) -> None:
    await rig.set(schedule=EVERY_TEN_SECONDS)
    rig.store.poisoned = True
    await rig.pass_time(600)
    assert rig.store.reopened < 30
    rig.store.poisoned = False
    await rig.pass_time(60)
    assert rig.engine.ready
    assert {reason for *_, reason in await rig.missed()} == {"store"}


async def test_a_refusal_says_what_is_the_matter_with_the_store(rig: Rig) -> None:
    await rig.set()
    rig.store.fault = StoreError("The disk is full.")
    for _ in range(2):
        with pytest.raises(StoreUnavailableError, match=r"The disk is full\."):
            await rig.fire()


async def test_ticks_during_a_failure_are_missed_because_of_the_store(rig: Rig) -> None:
    await rig.set(schedule=EVERY_TEN_SECONDS)
    rig.store.fault = StoreError("The disk is gone.")
    await rig.pass_time(95)
    rig.store.fault = None
    await rig.pass_time(40)
    reasons = {reason for *_, reason in await rig.missed()}
    assert reasons == {"store"}
    assert (await rig.missed())[0][0] == 10


async def test_a_tick_whose_commit_failed_is_not_lost(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE)
    await rig.pass_time(59)
    rig.store.fault = StoreError("The disk is full.")
    await rig.pass_time(1)
    rig.store.fault = None
    await rig.pass_time(5)
    assert await rig.scheduled() == [60]


async def test_engine_time_goes_on_over_a_failure(rig: Rig) -> None:
    rig.clock.set_wall(-3600)
    await rig.set()
    await rig.pass_time(600)
    before = rig.engine.now()
    rig.store.fault = StoreError("The disk is full.")
    with pytest.raises(StoreUnavailableError):
        await rig.fire()
    rig.store.fault = None
    await rig.pass_time(10)
    assert rig.engine.now() >= before + 10_000_000


async def test_one_clients_trouble_keeps_nothing_from_the_others(rig: Rig) -> None:
    broken, sound = await rig.client("a"), await rig.client("b")
    await broken.here({"triggerId": "a", "schedule": EVERY_MINUTE})
    await sound.here({"triggerId": "b", "schedule": EVERY_MINUTE})
    broken.offers = None  # type: ignore[assignment]  # the fault
    await rig.pass_time(60)
    assert sound.offered == ["b"]
    assert await rig.engine.declare({"triggerId": "c"})


async def test_a_stop_commits_what_was_accepted(rig: Rig) -> None:
    await rig.set()
    asked = asyncio.create_task(rig.fire())
    await asyncio.sleep(0)
    await rig.restart()
    assert await asked == ["started"]
    assert await rig.states() == ["pending"]


async def test_a_stop_in_the_middle_of_a_failure_ends(rig: Rig) -> None:
    await rig.set()
    rig.store.fault = StoreError("The disk is gone.")
    asked = asyncio.create_task(rig.fire())
    await asyncio.sleep(0)
    await rig.restart()
    with pytest.raises(StoreUnavailableError):
        await asked
    assert TriggerId("t") in (await rig.house()).memory.registrations
