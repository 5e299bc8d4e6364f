"""What is appended is loaded back, every column of it, by a store that was closed meanwhile."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from schedule_bridge.core.model import TriggerId, WorkspaceId
from schedule_bridge.store import Batch, DecisionQuery
from schedule_bridge.store.rows import (
    BUFFERED,
    DELAYED,
    EXECUTION_CHANGES,
    EXECUTION_COLUMNS,
    buffered_row,
    delayed_row,
    execution_row,
    read_execution,
)

from . import strategies
from .open_stores import MakeStore, after_reopening, opened
from .samples import (
    decision,
    decisions,
    execution,
    executions,
    missed_of,
    trigger,
    triggers,
)

if TYPE_CHECKING:
    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import DelayedFiring, Execution, Firing
    from schedule_bridge.store import IdempotentAnswer, MissedStretch, Store, TriggerRecord

few = settings(max_examples=25, deadline=None)


@few
@given(kept=strategies.active_executions)
async def test_an_active_execution(make_store: MakeStore, kept: Execution) -> None:
    with TemporaryDirectory() as folder:
        batch = Batch(executions={kept.execution_id: execution_row(kept)})
        snapshot = await after_reopening(make_store, Path(folder), batch)
    (loaded,) = snapshot.executions
    assert asdict(loaded) == asdict(kept)
    assert snapshot.order == kept.order


@few
@given(first=strategies.active_executions, last=strategies.active_executions, ended=st.booleans())
async def test_an_execution_that_has_changed(
    make_store: MakeStore, first: Execution, last: Execution, *, ended: bool
) -> None:
    columns = zip(EXECUTION_COLUMNS, execution_row(first), execution_row(last), strict=True)
    row = tuple(late if name in EXECUTION_CHANGES else early for name, early, late in columns)
    changed = replace(read_execution(dict(zip(EXECUTION_COLUMNS, row, strict=True))), ended_at=None)
    if ended:
        changed.ended_at = 9
    with TemporaryDirectory() as folder:
        await after_reopening(make_store, Path(folder), executions(first), executions(changed))
        async with opened(make_store, Path(folder)) as store:
            loaded = await store.execution(first.execution_id)
    assert loaded is not None
    assert asdict(loaded) == asdict(changed)


@few
@given(kept=strategies.delayed_firings)
async def test_a_delayed_firing(make_store: MakeStore, kept: DelayedFiring) -> None:
    slot = (kept.firing.trigger_id, kept.firing.lock_key, DELAYED)
    with TemporaryDirectory() as folder:
        batch = Batch(held={slot: delayed_row(kept)})
        snapshot = await after_reopening(make_store, Path(folder), batch)
    (loaded,) = snapshot.delayed
    assert asdict(loaded) == asdict(kept)
    assert (snapshot.buffered, snapshot.order) == ([], kept.order)


@few
@given(kept=strategies.firings)
async def test_a_buffered_firing(make_store: MakeStore, kept: Firing) -> None:
    slot = (kept.trigger_id, kept.lock_key, BUFFERED)
    with TemporaryDirectory() as folder:
        batch = Batch(held={slot: buffered_row(kept)})
        snapshot = await after_reopening(make_store, Path(folder), batch)
    assert (snapshot.buffered, snapshot.delayed) == ([kept], [])


@few
@given(kept=strategies.trigger_records)
async def test_a_trigger(make_store: MakeStore, kept: TriggerRecord) -> None:
    with TemporaryDirectory() as folder:
        snapshot = await after_reopening(make_store, Path(folder), triggers(kept))
    assert snapshot.triggers == [kept]


@few
@given(kept=strategies.answers)
async def test_an_answer(make_store: MakeStore, kept: IdempotentAnswer) -> None:
    with TemporaryDirectory() as folder:
        snapshot = await after_reopening(make_store, Path(folder), Batch(answers=[kept]))
    assert snapshot.answers == [kept]


@few
@given(kept=strategies.decisions)
async def test_a_decision(make_store: MakeStore, kept: Decision) -> None:
    with TemporaryDirectory() as folder:
        batch = Batch(decisions={kept.firing_id: kept})
        await after_reopening(make_store, Path(folder), batch)
        async with opened(make_store, Path(folder)) as store:
            ((_, loaded),) = await store.decisions(DecisionQuery())
    assert loaded == kept


@few
@given(kept=strategies.stretches)
async def test_a_missed_stretch(make_store: MakeStore, kept: MissedStretch) -> None:
    with TemporaryDirectory() as folder:
        await after_reopening(make_store, Path(folder), Batch(missed=[kept]))
        async with opened(make_store, Path(folder)) as store:
            assert await missed_of(store, kept.trigger_id, 10) == [kept]


async def test_a_workspace(store: Store) -> None:
    rows = {WorkspaceId(name): (name, limit, 2**53 - 1) for name, limit in (("b", 0), ("a", 7))}
    await store.append(Batch(workspaces=rows))
    snapshot = await store.load()
    assert [(w.workspace_id, w.limit, w.fencing_token) for w in snapshot.workspaces] == [
        ("a", 7, 2**53 - 1),
        ("b", 0, 2**53 - 1),
    ]


async def test_an_empty_store_begins_at_nought(store: Store) -> None:
    snapshot = await store.load()
    assert (snapshot.clock, snapshot.order, snapshot.executions) == (0, 0, [])


async def test_the_clock_never_goes_back(store: Store) -> None:
    await store.append(Batch(clock=70))
    await store.append(Batch(clock=30))
    assert (await store.load()).clock == 70


async def test_a_decision_tells_the_time_as_well(store: Store) -> None:
    await store.append(Batch(clock=30))
    await store.append(decisions(decision("f", decided_at=70), clock=70))
    assert (await store.load()).clock == 70


async def test_a_later_batch_replaces_rows(store: Store) -> None:
    await store.append(triggers(trigger(next_tick=1), trigger("gone")))
    await store.append(Batch(triggers={TriggerId("gone"): None}, next_ticks={TriggerId("t"): 2}))
    (kept,) = (await store.load()).triggers
    assert (kept.trigger_id, kept.next_tick) == ("t", 2)


async def test_an_ended_execution_is_history(store: Store) -> None:
    await store.append(executions(execution(1), execution(2, ended_at=9)))
    snapshot = await store.load()
    assert [each.execution_id for each in snapshot.executions] == ["run1"]
    assert snapshot.order == 2
    ended = await store.execution(execution(2).execution_id)
    assert ended is not None
    assert ended.ended_at == 9
