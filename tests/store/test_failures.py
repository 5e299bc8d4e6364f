"""A failed append has written nothing, and the store goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from schedule_bridge.core.model import TriggerId
from schedule_bridge.store import Batch, DecisionQuery, StoreError

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
