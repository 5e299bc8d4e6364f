"""A workspace has one owner at a time, and whoever is not it any more writes nothing."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import asyncpg
import pytest

from databases.server import new_database
from schedule_bridge.core.model import SECOND, State, TriggerId, WorkspaceId
from schedule_bridge.store import Batch, DecisionQuery, PruneLimits, StaleEpochError, StoreError
from schedule_bridge.store.postgres import EVERYTHING, PostgresDatabase, WholePostgresStore
from schedule_bridge.store.postgres.pools import SCHEMA

from .samples import answer, decision, decisions, execution, executions, trigger, triggers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from schedule_bridge.store import Lease
    from schedule_bridge.store.postgres import PostgresStore

MINE, OTHER = WorkspaceId("mine"), WorkspaceId("other")
LONG, SHORT = 60.0, 0.3


@pytest.fixture
async def database() -> AsyncIterator[PostgresDatabase]:
    it = PostgresDatabase(new_database())
    await it.open()
    yield it
    await it.close()


async def take(
    database: PostgresDatabase,
    owner: str = "a",
    workspace_id: WorkspaceId = MINE,
    seconds: float = LONG,
) -> Lease:
    return await database.leases.take(workspace_id, owner, f"http://{owner}", seconds)


async def store_of(
    database: PostgresDatabase,
    owner: str = "a",
    workspace_id: WorkspaceId = MINE,
    seconds: float = LONG,
) -> PostgresStore:
    lease = await take(database, owner, workspace_id, seconds)
    assert lease.mine
    return database.of_workspace(lease, seconds)


@asynccontextmanager
async def in_the_way(database: PostgresDatabase, sql: str) -> AsyncIterator[None]:
    """A transaction of somebody else that has done something and is not committed."""
    connection = await asyncpg.connect(database._url, server_settings={"search_path": SCHEMA})
    try:
        async with connection.transaction():
            await connection.execute(sql)
            yield
    finally:
        await connection.close()


async def written(database: PostgresDatabase) -> list[str]:
    found = await database.history.decisions(DecisionQuery())
    return [each.firing_id for _, each in found]


# who has it


async def test_a_lease_that_somebody_has_is_not_taken(database: PostgresDatabase) -> None:
    first, second = await take(database, "a"), await take(database, "b")
    assert first.mine
    assert (second.mine, second.owner, second.address) == (False, "a", "http://a")
    assert second.epoch == first.epoch


async def test_the_epoch_rises_with_every_owner(database: PostgresDatabase) -> None:
    epochs = []
    for owner in ("a", "b", "a", "a"):
        lease = await take(database, owner)
        epochs.append(lease.epoch)
        if len(epochs) < 3:
            await database.leases.release(MINE, owner, lease.epoch)
    assert epochs == sorted(set(epochs))


async def test_a_lease_that_has_run_out_is_free_and_is_not_renewed(
    database: PostgresDatabase,
) -> None:
    mine = await take(database, "a", seconds=SHORT)
    await asyncio.sleep(SHORT * 2)
    assert await database.leases.renew("a", {MINE: mine.epoch}, LONG) == set()
    assert (await take(database, "b")).mine


async def test_renewal_keeps_what_is_held_and_names_it(database: PostgresDatabase) -> None:
    mine = await take(database, "a", seconds=SHORT * 2)
    theirs = await take(database, "b", OTHER)
    epochs = {MINE: mine.epoch, OTHER: theirs.epoch}
    assert await database.leases.renew("a", epochs, LONG) == {MINE}
    await asyncio.sleep(SHORT * 3)
    assert not (await take(database, "b")).mine


async def test_to_release_under_another_epoch_changes_nothing(database: PostgresDatabase) -> None:
    old = await take(database, "a")
    await take(database, "a")
    await database.leases.release(MINE, "a", old.epoch)
    assert not (await take(database, "b")).mine


async def test_a_lease_that_is_handed_over_is_kept_for_whom_it_is_for(
    database: PostgresDatabase,
) -> None:
    mine = await take(database, "a")
    await database.leases.release(MINE, "a", mine.epoch, "http://b")
    bystander = await database.leases.take(MINE, "c", "http://c", LONG)
    assert (bystander.mine, bystander.address) == (False, "http://b")
    theirs = await database.leases.take(MINE, "b", "http://b", LONG)
    assert (theirs.mine, theirs.epoch) == (True, mine.epoch + 1)


async def test_whoever_has_everything_keeps_all_others_out_and_they_it(
    database: PostgresDatabase,
) -> None:
    some = await take(database, "a")
    assert not (await take(database, "b", EVERYTHING)).mine
    await database.leases.release(MINE, "a", some.epoch)
    assert (await take(database, "b", EVERYTHING)).mine
    blocked = await take(database, "a")
    assert (blocked.mine, blocked.owner) == (False, "b")


async def test_of_many_that_take_at_once_one_gets_it(database: PostgresDatabase) -> None:
    workspaces = [EVERYTHING, *(WorkspaceId(f"w{number}") for number in range(4))]
    takes = [take(database, f"o{n}", name) for n in range(6) for name in workspaces]
    taken = [lease for lease in await asyncio.gather(*takes) if lease.mine]
    names = [lease.workspace_id for lease in taken]
    assert len(set(names)) == len(names)
    assert names == [EVERYTHING] or EVERYTHING not in names
    assert await database.leases.holders() != []


# the zombie


async def test_a_stale_owner_writes_nothing(database: PostgresDatabase) -> None:
    """Stopped for longer than its lease, then going on as if nothing had happened."""
    zombie = await store_of(database, "a", seconds=SHORT)
    await zombie.append(decisions(decision("before", workspace_id=MINE)))
    await asyncio.sleep(SHORT * 2)
    owner = await store_of(database, "b")
    await owner.append(decisions(decision("owner", workspace_id=MINE)))
    for batch in (decisions(decision("late", workspace_id=MINE)), Batch(clock=9), Batch()):
        with pytest.raises(StaleEpochError):
            await zombie.append(batch)
    with pytest.raises(StaleEpochError):
        await zombie.prune(PruneLimits(before=9, keep=0, keys_before=9))
    with pytest.raises(StaleEpochError):
        await zombie.reopen()
    assert await written(database) == ["owner", "before"]
    assert (await owner.load()).clock == 0


async def test_a_zombie_writes_nothing_even_if_nobody_has_taken_over(
    database: PostgresDatabase,
) -> None:
    zombie = await store_of(database, seconds=SHORT)
    await asyncio.sleep(SHORT * 2)
    with pytest.raises(StaleEpochError):
        await zombie.append(decisions(decision("late", workspace_id=MINE)))
    assert await written(database) == []


async def test_the_epoch_of_another_life_of_the_owner_is_no_epoch(
    database: PostgresDatabase,
) -> None:
    old = await store_of(database)
    new = await store_of(database)
    with pytest.raises(StaleEpochError):
        await old.append(Batch(clock=1))
    await new.append(Batch(clock=2))
    assert (await new.load()).clock == 2


async def test_a_take_over_waits_for_the_commit_that_is_under_way(
    database: PostgresDatabase,
) -> None:
    """The next owner reads what the former one has still committed; nothing comes after that."""
    former = await store_of(database, "a", seconds=SHORT)
    batch = decisions(decision("last", workspace_id=MINE))
    batch.workspaces = {MINE: (MINE, 0, 7)}
    async with in_the_way(database, "INSERT INTO workspaces VALUES ('mine', 0, 1)"):
        last = asyncio.create_task(former.append(batch))
        await asyncio.sleep(SHORT * 2)
        taking = asyncio.create_task(store_of(database, "b"))
        await asyncio.sleep(SHORT)
        assert not taking.done()
    await last
    (workspace,) = (await (await taking).load()).workspaces
    assert workspace.fencing_token == 7


async def test_a_commit_that_comes_while_the_lease_changes_hands_is_stale(
    database: PostgresDatabase,
) -> None:
    former = await store_of(database, "a")
    other = "UPDATE leases SET owner = 'b', epoch = epoch + 1 WHERE workspace_id = 'mine'"
    async with in_the_way(database, other):
        late = asyncio.create_task(former.append(decisions(decision("late", workspace_id=MINE))))
        await asyncio.sleep(SHORT)
        assert not late.done()
    with pytest.raises(StaleEpochError):
        await late
    assert await written(database) == []


# one workspace beside others


async def test_a_workspace_is_loaded_without_the_others(database: PostgresDatabase) -> None:
    mine, other = await store_of(database), await store_of(database, "b", OTHER)
    for store, number in ((mine, 1), (other, 2)):
        place = store.workspace_id
        batch = triggers(trigger(f"t{number}", workspace_id=place))
        batch.executions = executions(
            execution(number, workspace_id=place, trigger_id=f"t{number}")
        ).executions
        batch.answers = [answer(f"k{number}", 1, workspace=place)]
        batch.clock = number
        await store.append(batch)
    snapshot = await mine.load()
    assert [each.trigger_id for each in snapshot.triggers] == ["t1"]
    assert [each.execution_id for each in snapshot.executions] == ["run1"]
    assert [each.key for each in snapshot.answers] == ["k1"]
    assert (snapshot.clock, snapshot.order, snapshot.epoch) == (1, 1, mine.epoch)
    assert [each.workspace_id for each in snapshot.workspaces] == [MINE]
    found = await database.workspaces_of_triggers([TriggerId("t1"), TriggerId("t2")])
    assert found == {"t1": MINE, "t2": OTHER}
    assert await database.trigger_ids(None, "t1", 9) == [("t2", OTHER)]
    assert await database.workspace_of_execution(execution(2).execution_id) == OTHER
    assert await database.workspace_of_answer("k1") == MINE


async def test_a_trigger_of_another_workspace_is_not_taken_by_a_write(
    database: PostgresDatabase,
) -> None:
    mine, other = await store_of(database), await store_of(database, "b", OTHER)
    await other.append(triggers(trigger("t", workspace_id=OTHER)))
    with pytest.raises(StoreError, match="belongs to another workspace"):
        await mine.append(triggers(trigger("t", workspace_id=MINE)))
    await mine.append(Batch(triggers={TriggerId("t"): None}, next_ticks={TriggerId("t"): 9}))
    (kept,) = (await other.load()).triggers
    assert (kept.workspace_id, kept.next_tick) == (OTHER, None)


async def test_engine_time_goes_on_where_the_whole_store_has_been(
    database: PostgresDatabase,
) -> None:
    whole = WholePostgresStore(database._url, LONG)
    await whole.open()
    await whole.append(Batch(clock=70, triggers={TriggerId("t"): trigger(workspace_id=MINE)}))
    await whole.close()
    assert (await (await store_of(database)).load()).clock == 70


async def test_free_workspaces_are_found_in_which_something_goes_on(
    database: PostgresDatabase,
) -> None:
    async def leave(name: str, batch: Batch) -> None:
        store = await store_of(database, "a", WorkspaceId(name))
        await store.append(batch)
        await database.leases.release(WorkspaceId(name), "a", store.epoch)

    def due(name: str, **other: int) -> Batch:
        return triggers(trigger(name, workspace_id=WorkspaceId(name), **other))

    now = 2**60
    running = {"workspace_id": WorkspaceId("running"), "state": State.RUNNING}
    await leave("due", due("due", next_tick=1))
    await leave("later", due("later", next_tick=now))
    await leave("detached", due("detached", next_tick=1, detached_since=1))
    await leave("running", executions(execution(1, **running)))
    await leave("idle", Batch(clock=1))
    await (await store_of(database, "a", MINE)).append(due(MINE, next_tick=1))
    assert await database.leases.wanting(9, 5 * SECOND) == ["due", "running"]
    assert await database.leases.wanting(1, 5 * SECOND) == ["due"]


async def test_what_nobody_owns_is_pruned_by_anybody_and_nothing_else(
    database: PostgresDatabase,
) -> None:
    kept, left = await store_of(database), await store_of(database, "b", OTHER)
    for store in (kept, left):
        name = store.workspace_id
        await store.append(decisions(decision(name, workspace_id=name, decided_at=1)))
    await database.leases.release(OTHER, "b", left.epoch)
    for _ in range(3):
        await database.prune_free(PruneLimits(before=5, keep=100, keys_before=5))
    assert await written(database) == [MINE]


async def test_bridges_of_a_store_have_one_token_while_any_runs(
    database: PostgresDatabase,
) -> None:
    assert await database.agree_on_token(b"one")
    assert await database.agree_on_token(b"two")
    await take(database)
    assert not await database.agree_on_token(b"one")
    assert await database.agree_on_token(b"two")
