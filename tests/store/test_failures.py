"""A failed append has written nothing, and the store goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from schedule_bridge.core.model import TriggerId
from schedule_bridge.store import Batch, DecisionQuery, PruneLimits, StoreError

from .samples import (
    answer,
    decision,
    decisions,
    execution,
    executions,
    missed_of,
    stretch,
    trigger,
)

if TYPE_CHECKING:
    from pathlib import Path

    from schedule_bridge.store import Store

    from .open_stores import MakeStore


def unwritable() -> Batch:
    """A batch with something of everything, whose last row no store can take."""
    batch = decisions(decision("f"), clock=50)
    batch.executions = executions(execution(1)).executions
    batch.triggers = {TriggerId("t"): trigger()}
    batch.missed = [stretch(1)]
    batch.answers = [answer("k", at="not a number")]  # type: ignore[arg-type]  # the fault
    return batch


async def test_a_failed_append_leaves_nothing(store: Store) -> None:
    await store.append(Batch(clock=1))
    before = await store.load()
    with pytest.raises(StoreError):
        await store.append(unwritable())
    assert await store.load() == before
    assert await store.decisions(DecisionQuery()) == []
    assert await missed_of(store, TriggerId("t"), 9) == []


async def test_after_a_failed_append_the_next_one_counts(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.append(unwritable())
    await store.append(decisions(decision("f"), clock=60))
    assert (await store.load()).clock == 60
    assert len(await store.decisions(DecisionQuery())) == 1


async def test_a_store_that_is_not_open_says_so(make_store: MakeStore, tmp_path: Path) -> None:
    store = make_store(tmp_path)
    with pytest.raises(StoreError, match="not open"):
        await store.load()
    with pytest.raises(StoreError, match="not open"):
        await store.decisions(DecisionQuery())
    await store.close()


async def test_a_commit_that_nobody_waits_for_any_more_is_finished_before_the_next_begins(
    store: Store,
) -> None:
    given_up = asyncio.create_task(store.append(decisions(decision("f"), clock=60)))
    await asyncio.sleep(0)
    given_up.cancel()
    await store.append(decisions(decision("g"), clock=61))
    assert len(await store.decisions(DecisionQuery())) == 2


async def test_appends_while_history_is_pruned_wait_for_their_turn(store: Store) -> None:
    limits = PruneLimits(before=0, keep=100, keys_before=0)
    pruning = [asyncio.create_task(store.prune(limits)) for _ in range(3)]
    await asyncio.sleep(0)
    pruning[-1].cancel()
    await store.append(decisions(decision("f"), clock=60))
    await asyncio.gather(*pruning, return_exceptions=True)
    assert (await store.load()).clock == 60


async def test_many_rows_are_one_commit_as_few_are(store: Store) -> None:
    many = decisions(*(decision(f"f{number}") for number in range(1000)), clock=60)
    many.answers = [answer("k", at="not a number")]  # type: ignore[arg-type]  # the fault
    with pytest.raises(StoreError):
        await store.append(many)
    assert await store.decisions(DecisionQuery()) == []
    many.answers = []
    await store.append(many)
    assert len(await store.decisions(DecisionQuery(limit=2000))) == 1000
