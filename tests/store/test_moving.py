"""A store moved into another one is the same store, and nothing is half moved."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from cli.operator_bridge import operate
from databases.server import empty_database, new_database
from schedule_bridge.core.model import ExecutionId, TriggerId, WorkspaceId
from schedule_bridge.store import DecisionQuery, ExecutionQuery, SqliteStore, StoreError
from schedule_bridge.store.moving import move
from schedule_bridge.store.moving.sqlite_end import SqliteEnd, sqlite_source, sqlite_target
from schedule_bridge.store.postgres import PostgresDatabase, WholePostgresStore

from .filled import fill, shown
from .open_stores import opened
from .samples import decision, decisions, execution, executions, trigger, triggers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from schedule_bridge.store import Store
    from schedule_bridge.store.batch import Row
    from schedule_bridge.store.moving.tables import Table

Place: TypeAlias = Path | str


@asynccontextmanager
async def store_at(place: Place) -> AsyncIterator[Store]:
    def make(_: Path) -> Store:
        return WholePostgresStore(place) if isinstance(place, str) else SqliteStore(place)

    async with opened(make, Path()) as store:
        yield store


async def operate_move(source: Place, target: Place) -> tuple[int, str, str]:
    """Exit code and what was said, beside whatever this process has open."""
    names = [place if isinstance(place, str) else f"sqlite:{place}" for place in (source, target)]
    said = await asyncio.to_thread(operate, "move", *names, "--json")
    return said.exit_code, said.stdout, said.stderr


@pytest.fixture(
    params=["sqlite postgresql", "postgresql sqlite", "sqlite sqlite", "postgresql postgresql"]
)
def ends(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Place, Place]:
    source, target = [
        tmp_path / f"{number}.db" if kind == "sqlite" else empty_database()
        for number, kind in enumerate(request.param.split())
    ]
    return source, target


async def test_all_that_a_store_shows_is_shown_by_the_other(ends: tuple[Place, Place]) -> None:
    source, target = ends
    async with store_at(source) as store:
        await fill(store)
        before = await shown(store)
    code, said, _ = await operate_move(source, target)
    assert code == 0
    assert json.loads(said)["rows"] == {
        "workspaces": 2,
        "triggers": 2,
        "held_firings": 2,
        "executions": 3,
        "jobs": 1,
        "decisions": 3,
        "missed_stretches": 1,
        "idempotency_keys": 1,
    }
    for place in ends:
        async with store_at(place) as store:
            assert await shown(store) == before


async def test_what_is_written_after_a_move_comes_after_what_was_moved(
    ends: tuple[Place, Place],
) -> None:
    source, target = ends
    async with store_at(source) as store:
        await fill(store)
    await operate_move(source, target)
    async with store_at(target) as store:
        await store.append(decisions(decision("new")))
        ((_, latest),) = await store.decisions(DecisionQuery(limit=1))
        assert latest.firing_id == "new"


async def test_a_store_that_is_not_empty_is_not_moved_into(ends: tuple[Place, Place]) -> None:
    source, target = ends
    for place in ends:
        async with store_at(place) as store:
            await store.append(triggers(trigger(str(place)[-9:])))
    code, _, said = await operate_move(source, target)
    assert code == 1
    assert "is not empty. Name a new store to move into." in said
    async with store_at(target) as store:
        assert len((await store.load()).triggers) == 1


async def test_a_store_that_a_bridge_has_is_not_moved(tmp_path: Path) -> None:
    async with store_at(tmp_path / "bridge.db"):
        code, _, said = await operate_move(tmp_path / "bridge.db", new_database())
    assert code == 1
    assert "Another bridge is using the store" in said


async def test_a_database_of_which_a_bridge_has_a_workspace_is_not_moved(tmp_path: Path) -> None:
    database = PostgresDatabase(new_database())
    await database.open()
    await database.leases.take(WorkspaceId("w"), "me", "http://me", 60.0)
    code, _, said = await operate_move(database._url, tmp_path / "bridge.db")
    await database.close()
    assert code == 1
    assert "Another bridge is using the store" in said
    assert "http://me" in said


async def test_a_store_that_is_not_there_or_is_both_ends(tmp_path: Path) -> None:
    code, _, said = await operate_move(tmp_path / "none.db", new_database())
    assert (code, said) == (1, f"There is no store at {tmp_path / 'none.db'}.\n")
    code, _, said = await operate_move(tmp_path / "none.db", tmp_path / "none.db")
    assert code == 2


async def test_workspaces_that_counted_for_themselves_are_paged_through_in_one_order(
    tmp_path: Path,
) -> None:
    """Two owners have both created a first and a second execution."""
    database = PostgresDatabase(new_database())
    await database.open()
    for name in ("a", "b"):
        place = WorkspaceId(name)
        lease = await database.leases.take(place, name, name, 60.0)
        runs = [
            execution(number, execution_id=ExecutionId(f"{name}{number}"), workspace_id=place)
            for number in (1, 2)
        ]
        await database.of_workspace(lease, 60.0).append(executions(*runs))
        await database.leases.release(place, name, lease.epoch)
    await database.close()
    code, _, _ = await operate_move(database._url, tmp_path / "bridge.db")
    assert code == 0
    async with store_at(tmp_path / "bridge.db") as store:
        first = await store.executions(ExecutionQuery(limit=3))
        second = await store.executions(ExecutionQuery(limit=3, before=first[-1].order))
    assert [each.execution_id for each in first + second] == ["b2", "b1", "a2", "a1"]


async def test_workspaces_that_were_moved_are_found_by_bridges_with_nothing_to_do(
    tmp_path: Path,
) -> None:
    url = new_database()
    async with store_at(tmp_path / "bridge.db") as store:
        await store.append(triggers(trigger(next_tick=1, workspace_id=WorkspaceId("w"))))
    await operate_move(tmp_path / "bridge.db", url)
    database = PostgresDatabase(url)
    await database.open()
    assert await database.leases.wanting(9, 0) == ["w"]
    await database.close()


class Careless(SqliteEnd):
    """Writes another name than it was given."""

    async def add(self, table: Table, given: Sequence[Row]) -> None:
        changed = [("other", *row[1:]) for row in given] if table.name == "triggers" else given
        await super().add(table, changed)


async def test_a_copy_that_is_not_equal_is_not_kept(tmp_path: Path) -> None:
    source, target = tmp_path / "source.db", tmp_path / "target.db"
    async with store_at(source) as store:
        await store.append(triggers(trigger("mine")))
    async with sqlite_source(source) as reading, sqlite_target(target) as writing:
        careless = Careless(target, writing._connection)
        with pytest.raises(StoreError, match="The copy of triggers mine is not what was copied"):
            await move(reading, careless, lambda *_: None)
    async with store_at(target) as store:
        assert (await store.load()).triggers == []
    async with store_at(source) as store:
        assert [each.trigger_id for each in (await store.load()).triggers] == [TriggerId("mine")]
