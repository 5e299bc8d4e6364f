"""Nothing grows without bound, and nothing that is still needed goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schedule_bridge.core.model import TriggerId, WorkspaceId
from schedule_bridge.store import Batch, DecisionQuery, ExecutionQuery, PruneLimits
from schedule_bridge.store.sqlite import PRUNE_STEP

from .samples import (
    HERE,
    answer,
    decision,
    decisions,
    execution,
    executions,
    missed_of,
    stretch,
)

if TYPE_CHECKING:
    from schedule_bridge.store import Store


def limits(**other: int) -> PruneLimits:
    values: dict[str, Any] = {
        "before": 0,
        "keep": 1_000_000,
        "keys_before": 0,
    }
    return PruneLimits(**{**values, **other})


async def prune_all(store: Store, what: PruneLimits) -> int:
    gone = 0
    while step := await store.prune(what):
        gone += step
    return gone


async def test_old_decisions_go(store: Store) -> None:
    await store.append(decisions(decision("old", decided_at=9), decision("young", decided_at=10)))
    assert await prune_all(store, limits(before=10)) == 1
    assert [each.firing_id for _, each in await store.decisions(DecisionQuery())] == ["young"]


async def test_only_the_newest_decisions_are_kept(store: Store) -> None:
    await store.append(decisions(*(decision(f"f{number}") for number in range(9))))
    await prune_all(store, limits(keep=2))
    assert [each.firing_id for _, each in await store.decisions(DecisionQuery())] == ["f8", "f7"]


async def test_an_active_execution_is_kept_however_old(store: Store) -> None:
    await store.append(
        executions(execution(1), execution(2, ended_at=5), execution(3, ended_at=50))
    )
    await prune_all(store, limits(before=10))
    kept = await store.executions(ExecutionQuery())
    assert [each.execution_id for each in kept] == ["run3", "run1"]
    await prune_all(store, limits(keep=0))
    assert [each.execution_id for each in await store.executions(ExecutionQuery())] == ["run1"]


async def test_missed_stretches_go_by_age_and_number(store: Store) -> None:
    await store.append(Batch(missed=[stretch(number) for number in range(6)]))
    await prune_all(store, limits(before=2))
    assert len(await missed_of(store, TriggerId("t"), 9)) == 4
    await prune_all(store, limits(keep=1))
    assert await missed_of(store, TriggerId("t"), 9) == [stretch(5)]


async def test_idempotency_keys_go_by_age(store: Store) -> None:
    mine = [answer(f"k{number}", number) for number in range(5)]
    await store.append(Batch(answers=[*mine, answer("k", 0, workspace="other")]))
    await prune_all(store, limits(keys_before=1))
    assert [each.key for each in (await store.load()).answers] == ["k1", "k2", "k3", "k4"]


async def test_idempotency_keys_go_with_the_commit_that_forgets_them(store: Store) -> None:
    await store.append(Batch(answers=[answer("a", 1), answer("a", 1, workspace="other")]))
    await store.append(Batch(answers=[answer("b", 2)], forgotten={(HERE, "a"), (HERE, "new")}))
    kept = {(each.workspace_id, each.key) for each in (await store.load()).answers}
    assert kept == {("other", "a"), (HERE, "b")}


async def test_a_step_is_small(store: Store) -> None:
    """Decisions are committed between steps, so none may take long."""
    await store.append(decisions(*(decision(f"f{number}") for number in range(PRUNE_STEP + 1))))
    assert await store.prune(limits(before=10)) == PRUNE_STEP
    assert await store.prune(limits(before=10)) == 1


async def test_workspaces_that_are_as_if_nobody_had_spoken_of_them_go(store: Store) -> None:
    names = [WorkspaceId(name) for name in ("untouched", "limited", "used")]
    rows = zip(names, (0, 5, 0), (0, 0, 7), strict=True)
    await store.append(Batch(workspaces={row[0]: row for row in rows}))
    assert await prune_all(store, limits()) == 1
    assert [each.workspace_id for each in (await store.load()).workspaces] == ["limited", "used"]
