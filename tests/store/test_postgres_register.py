"""A bridge says that it runs, and is believed for as long as its leases last."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import asyncpg
import pytest

from databases.server import new_database
from schedule_bridge.core.model import WorkspaceId
from schedule_bridge.store.postgres import PostgresDatabase
from schedule_bridge.store.postgres.pools import SCHEMA

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LONG, SHORT = 60.0, 0.2
OWNERS = "SELECT array_agg(owner ORDER BY owner) FROM bridges"
WHEN = "SELECT since FROM bridges"


@pytest.fixture
async def database() -> AsyncIterator[PostgresDatabase]:
    it = PostgresDatabase(new_database())
    await it.open()
    yield it
    await it.close()


async def asked(database: PostgresDatabase, sql: str) -> object:
    connection = await asyncpg.connect(database._url, server_settings={"search_path": SCHEMA})
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def test_a_bridge_is_known_from_its_entry_on_until_it_leaves(
    database: PostgresDatabase,
) -> None:
    assert await database.register.addresses() == []
    await database.register.enter("a", "http://a", LONG)
    await database.register.enter("b", "http://b", LONG)
    assert await database.register.addresses() == ["http://a", "http://b"]
    await database.register.leave("a")
    assert await database.register.addresses() == ["http://b"]


async def test_a_bridge_that_enters_itself_again_runs_since_its_first_entry(
    database: PostgresDatabase,
) -> None:
    await database.register.enter("a", "http://a", SHORT)
    since = await asked(database, WHEN)
    await database.register.enter("a", "http://a", LONG)
    await asyncio.sleep(2 * SHORT)
    assert await database.register.addresses() == ["http://a"]
    assert await asked(database, WHEN) == since


async def test_a_dead_bridge_is_not_known_and_its_row_goes(database: PostgresDatabase) -> None:
    await database.register.enter("dead", "http://dead", SHORT)
    await asyncio.sleep(2 * SHORT)
    assert await database.register.addresses() == []
    await database.register.enter("a", "http://a", LONG)
    assert await asked(database, OWNERS) == ["a"]


async def test_one_that_was_taken_for_dead_comes_back(database: PostgresDatabase) -> None:
    await database.register.enter("a", "http://a", SHORT)
    await asyncio.sleep(2 * SHORT)
    await database.register.enter("b", "http://b", LONG)
    await database.register.enter("a", "http://a", LONG)
    assert await database.register.addresses() == ["http://a", "http://b"]


async def test_many_that_enter_at_once_do_not_wait_for_each_other(
    database: PostgresDatabase,
) -> None:
    names = [f"{number:02}" for number in range(20)]
    for seconds in (SHORT / 100, LONG):
        await asyncio.gather(
            *(database.register.enter(name, f"http://{name}", seconds) for name in names)
        )
    assert await database.register.addresses() == [f"http://{name}" for name in names]


async def test_a_bridge_of_an_older_version_is_known_by_what_it_owns(
    database: PostgresDatabase,
) -> None:
    await database.leases.take(WorkspaceId("w"), "old", "http://old", LONG)
    assert await database.register.addresses() == ["http://old"]
