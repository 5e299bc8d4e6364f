"""A database of every numbered version becomes one of this version under bridges that go on."""

from __future__ import annotations

import hashlib
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING

import asyncpg
import pytest

from databases.server import empty_database
from schedule_bridge.core.model import WorkspaceId
from schedule_bridge.store import DecisionQuery, NewerStoreError
from schedule_bridge.store.postgres import PostgresDatabase, WholePostgresStore
from schedule_bridge.store.postgres.pools import SCHEMA
from schedule_bridge.store.postgres.schema import LATEST, MIGRATIONS, migrate

from .filled import fill, shown
from .open_stores import opened
from .samples import decision, decisions

if TYPE_CHECKING:
    from pathlib import Path

    from schedule_bridge.store import Store

_SCRIPTS = resources.files("schedule_bridge.store") / "sql" / "postgres"
_TEXTS = {
    "0001": "cb2cdabf35d6ef5a2814527e6dfd7e475af1620edbb65fa42f2233c4daefdcda",
    "0002": "620b85a6be58aa9a8a8d191f180dbdcef109cb8ebf754120ecb2fd9abbc3f842",
}
"""What each script is. A released one never changes: add a number."""
VERSIONS = range(1, LATEST + 1)
FUNCTIONS = """
SELECT proname || pg_get_function_identity_arguments(p.oid) AS name, prosrc
FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = pronamespace WHERE nspname = $1
"""
W = WorkspaceId("w")


def test_scripts_are_numbered_without_a_gap_and_never_change() -> None:
    texts = {
        file.name.partition("_")[0]: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in _SCRIPTS.iterdir()
    }
    assert sorted(texts) == [f"{number:04}" for number in VERSIONS]
    assert texts == _TEXTS, "a change of the schema needs a numbered script of its own"


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_database_of_every_version_keeps_all_that_it_holds(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = empty_database()

    def make(_folder: Path) -> Store:
        return WholePostgresStore(url)

    with monkeypatch.context() as patch:
        patch.setattr("schedule_bridge.store.postgres.database.MIGRATIONS", MIGRATIONS[:version])
        async with opened(make, tmp_path) as old:
            await fill(old)
            before = await shown(old)
            assert old.schema_version == version
    async with opened(make, tmp_path) as new:
        assert await shown(new) == before
        assert new.schema_version == LATEST


async def test_a_bridge_that_runs_goes_on_while_another_brings_the_next_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = empty_database()
    monkeypatch.setattr("schedule_bridge.store.postgres.database.MIGRATIONS", MIGRATIONS[:-1])
    database = PostgresDatabase(url)
    await database.open()
    lease = await database.leases.take(W, "old", "http://old", 60)
    store = database.of_workspace(lease, 60)
    await store.append(decisions(decision("before", workspace_id=W)))
    assert await migrate(url, MIGRATIONS) == LATEST
    await store.append(decisions(decision("after", workspace_id=W)))
    assert await database.leases.renew("old", {W: store.epoch}, 60) == {W}
    found = [each.firing_id for _, each in await store.decisions(DecisionQuery(limit=9))]
    assert found == ["after", "before"]
    await database.leases.release(W, "old", store.epoch)
    await database.close()
    with pytest.raises(NewerStoreError):  # but it does not start anew
        await PostgresDatabase(url).open()


async def test_a_function_that_bridges_call_is_never_changed_under_its_name() -> None:
    """A rolling upgrade has bridges of two versions on one schema."""
    url = empty_database()
    known = []
    for version in VERSIONS:
        await migrate(url, MIGRATIONS[:version])
        known.append(await _functions(url))
    for older, newer in pairwise(known):
        assert older.items() <= newer.items()


async def _functions(url: str) -> dict[str, str]:
    connection = await asyncpg.connect(url)
    try:
        return {row["name"]: row["prosrc"] for row in await connection.fetch(FUNCTIONS, SCHEMA)}
    finally:
        await connection.close()
