"""What a decision costs at the most: one question to the database and one answer."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from databases.server import new_database
from databases.wire import wire_to
from schedule_bridge.store import Batch, PruneLimits, StaleEpochError
from schedule_bridge.store.postgres import WholePostgresStore

from .filled import everything
from .samples import decision, decisions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from databases.wire import Wire

LIMITS = PruneLimits(before=0, keep=1, keys_before=0)


@asynccontextmanager
async def counted() -> AsyncIterator[tuple[WholePostgresStore, Wire]]:
    """A store that has written once: in each connection a call is prepared before its first."""
    async with wire_to(new_database()) as wire:
        store = WholePostgresStore(wire.url)
        await store.open()
        await store.append(Batch(clock=1))
        await store.prune(LIMITS)
        yield store, wire
        await store.close()


async def test_a_commit_is_one_round_trip_with_the_check_of_the_epoch_in_it() -> None:
    async with counted() as (store, wire):
        before = wire.syncs
        batches = [everything(), decisions(decision("f9")), Batch(clock=2_000)]
        for batch in batches:
            await store.append(batch)
        assert wire.syncs - before == len(batches)


async def test_a_commit_that_is_stale_is_one_as_well() -> None:
    async with counted() as (store, wire):
        await store._database.leases.release(store.workspace_id, store._lease.owner, store.epoch)
        before = wire.syncs
        with pytest.raises(StaleEpochError):
            await store.append(decisions(decision("late")))
        assert wire.syncs - before == 1


async def test_a_step_of_pruning_is_one_as_well() -> None:
    async with counted() as (store, wire):
        before = wire.syncs
        await store.prune(LIMITS)
        assert wire.syncs - before == 1
