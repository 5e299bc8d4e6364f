"""Many things due at one instant: decided as of that instant, in batches, before what is asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from schedule_bridge.store import DecisionQuery, StoreError

from .rig import EVERY_MINUTE

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedule_bridge.core.model import Execution

    from .link import Client
    from .rig import Rig

MANY = 1000
NAMES = [f"t{number:04}" for number in range(MANY)]


class Burst:
    """A client with many triggers; something happens when the first start is offered to it."""

    def __init__(self, rig: Rig, client: Client) -> None:
        self.rig = rig
        self.client = client
        self._offer = client.offer
        self._at_first: Callable[[], None] = lambda: None
        client.offer = self._offered  # type: ignore[method-assign]

    async def play(self, at_first: Callable[[], None]) -> None:
        await self.client.here(*({"triggerId": name, "schedule": EVERY_MINUTE} for name in NAMES))
        self.rig.store.batches.clear()
        self._at_first = at_first
        await self.rig.pass_time(60)

    def _offered(self, execution: Execution) -> None:
        self._offer(execution)
        at_first, self._at_first = self._at_first, lambda: None
        at_first()


def started(rig: Rig) -> int:
    """How many runs have been decided, whether that is durable or not."""
    house = rig.engine._keeper.open_house()
    assert house is not None
    return len(house.machine.world.executions)


async def burst(rig: Rig) -> Burst:
    return Burst(rig, await rig.client())


async def test_the_first_starts_are_offered_while_the_last_are_yet_to_be_decided(rig: Rig) -> None:
    many = await burst(rig)
    decided: list[int] = []
    await many.play(lambda: decided.append(started(rig)))
    assert decided[0] < MANY
    assert many.client.offered == NAMES


async def test_where_the_store_keeps_up_no_commit_holds_much(rig: Rig) -> None:
    many = await burst(rig)
    await many.play(lambda: None)
    assert max(len(batch.decisions) for batch in rig.store.batches) < MANY / 4


async def test_where_the_store_is_slow_the_rest_is_one_commit(rig: Rig) -> None:
    many = await burst(rig)
    await many.play(rig.store.free_to_write.clear)
    assert started(rig) == MANY
    rig.store.free_to_write.set()
    await rig.settle()
    assert len(rig.store.batches) <= 4
    assert many.client.offered == NAMES


async def test_all_of_them_are_decided_as_of_one_instant(rig: Rig) -> None:
    many = await burst(rig)
    await many.play(lambda: rig.clock.stand_still_for(0.5))
    decided = await rig.engine.decisions(DecisionQuery(limit=2 * MANY))
    assert {rig.seconds(each.decided_at) for _, each in decided} == {60}


async def test_what_is_asked_meanwhile_meets_all_that_was_due_before(rig: Rig) -> None:
    many = await burst(rig)
    asked: list[asyncio.Task[list[str]]] = []
    await many.play(lambda: asked.append(asyncio.create_task(rig.fire(NAMES[-1]))))
    assert await asked[0] == ["skipped"]
    assert many.client.offered == NAMES


async def test_who_can_wait_is_told_when_nothing_is_left(rig: Rig) -> None:
    many = await burst(rig)
    waiting: list[asyncio.Task[None]] = []
    found: list[int] = []

    async def wait() -> None:
        await rig.engine.caught_up()
        found.append(started(rig))

    await many.play(lambda: waiting.append(asyncio.create_task(wait())))
    await waiting[0]
    assert found == [MANY]


async def test_a_store_that_fails_in_the_middle_loses_no_tick_and_doubles_none(rig: Rig) -> None:
    many = await burst(rig)

    def fail() -> None:
        rig.store.fault = StoreError("It cannot be written.")

    await many.play(fail)
    rig.store.fault = None
    await rig.pass_time(5)
    again = await rig.client()
    await again.here(*({"triggerId": name, "schedule": EVERY_MINUTE} for name in NAMES))
    await rig.settle()
    decided = [
        each.trigger_id for _, each in await rig.engine.decisions(DecisionQuery(limit=2 * MANY))
    ]
    assert sorted(decided) == NAMES
    assert len(rig.store.batches) > 1


async def test_what_is_due_waits_while_a_large_batch_is_written(rig: Rig) -> None:
    many = await burst(rig)
    await many.client.here(*({"triggerId": name, "schedule": EVERY_MINUTE} for name in NAMES))
    other = await rig.client("other")
    rig.store.free_to_write.clear()
    declaring = asyncio.create_task(other.here(*({"triggerId": f"x{name}"} for name in NAMES)))
    await rig.settle()
    await rig.pass_time(60)
    assert started(rig) < MANY / 4
    rig.store.free_to_write.set()
    await declaring
    await rig.pass_time(1)
    assert many.client.offered == NAMES
