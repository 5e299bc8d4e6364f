"""What goes wrong between a bridge and its database is said, and is over when it is."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import asyncpg
import pytest

from databases.server import empty_database, new_database, the_server, url_of
from databases.telling import told
from databases.wire import Wire, wire_to
from schedule_bridge.store import Batch, DecisionQuery, NewerStoreError, StoreError
from schedule_bridge.store.postgres import EVERYTHING, PostgresDatabase, WholePostgresStore, pools
from schedule_bridge.store.postgres.address import shown
from schedule_bridge.store.postgres.pools import SCHEMA

from .open_stores import opened
from .samples import decision, decisions, stretch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def wired() -> AsyncIterator[tuple[WholePostgresStore, Wire]]:
    """A store that is open, with one decision in it."""
    async with wire_to(new_database()) as wire:
        store = WholePostgresStore(wire.url)
        await store.open()
        await store.append(decisions(decision("first"), clock=1))
        try:
            yield store, wire
        finally:
            wire.mend()
            await store.close()


@asynccontextmanager
async def plain() -> AsyncIterator[tuple[WholePostgresStore, str]]:
    """A store that is open, and its address."""
    url = new_database()
    async with opened(lambda _: WholePostgresStore(url), Path()) as store:
        assert isinstance(store, WholePostgresStore)
        yield store, url


async def end_connections(url: str) -> None:
    await told(url, _END_CONNECTIONS)
    await asyncio.sleep(0.1)


_END_CONNECTIONS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


async def kept(store: WholePostgresStore) -> list[str]:
    return [each.firing_id for _, each in await store.decisions(DecisionQuery())]


async def goes_on(store: WholePostgresStore) -> None:
    """As the engine does it after a failure."""
    await store.reopen()
    await store.append(decisions(decision("again"), clock=9))
    assert (await store.load()).clock == 9


async def test_a_network_that_is_cut_is_said_and_the_store_goes_on_after_it() -> None:
    async with wired() as (store, wire):
        wire.cut()
        with pytest.raises(StoreError, match="cannot be reached"):
            await store.append(decisions(decision("lost")))
        with pytest.raises(StoreError, match="cannot be reached"):
            await store.reopen()
        wire.mend()
        await goes_on(store)
        assert await kept(store) == ["again", "first"]


async def test_what_was_committed_without_an_answer_is_settled_before_it_is_read_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pools, "_WRITE_SECONDS", 0.5)
    monkeypatch.setattr(pools, "_GRACE_SECONDS", 0.5)
    async with wired() as (store, wire):
        before = store.epoch
        wire.hold_up(answers_only=True)
        with pytest.raises(StoreError, match="does not answer"):
            await store.append(decisions(decision("unheard"), clock=5))
        wire.mend()
        await store.reopen()
        assert store.epoch > before
        assert (await store.load()).clock == 5
        assert await kept(store) == ["unheard", "first"]


async def test_what_was_sent_and_not_heard_never_counts_after_the_store_was_opened_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A cut that holds the question itself up lets it go on later, under an epoch of the past."""
    monkeypatch.setattr(pools, "_WRITE_SECONDS", 0.5)
    monkeypatch.setattr(pools, "_GRACE_SECONDS", 0.5)
    async with wired() as (store, wire):
        past = PostgresDatabase(url_of(urlsplit(wire.url).path.lstrip("/")))
        await past.open()
        wire.hold_up()
        late = asyncio.create_task(store.append(decisions(decision("late"), clock=5)))
        await asyncio.sleep(0.1)
        taken = await past.leases.take(EVERYTHING, store._lease.owner, "here", 60.0)
        wire.mend()
        with pytest.raises(StoreError):
            await late
        assert taken.epoch == store.epoch + 1
        assert await kept(store) == ["first"]
        await past.close()


async def test_a_database_that_was_restarted_is_used_again() -> None:
    async with plain() as (store, _):
        await store.append(decisions(decision("first"), clock=1))
        server = the_server()
        await asyncio.to_thread(server.stop)
        with pytest.raises(StoreError, match="cannot be reached"):
            await store.append(decisions(decision("lost")))
        await asyncio.to_thread(server.ensure_postgres_running)
        await goes_on(store)
        assert await kept(store) == ["again", "first"]


async def test_connections_that_the_server_ends_are_made_anew() -> None:
    async with plain() as (store, url):
        await store.append(Batch(clock=1))
        await end_connections(url)
        await goes_on(store)


async def test_a_statement_that_takes_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pools, "_WRITE_SECONDS", 0.3)
    async with plain() as (store, url):
        other = await asyncpg.connect(url, server_settings={"search_path": SCHEMA})
        async with other.transaction():
            await other.execute("LOCK TABLE decisions")
            with pytest.raises(StoreError, match="took too long"):
                await store.append(decisions(decision("f")))
        await other.close()
        await goes_on(store)


async def test_a_database_that_is_read_only_is_said() -> None:
    async with plain() as (store, url):
        name = urlsplit(url).path.lstrip("/")
        await told(url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        await end_connections(url)
        with pytest.raises(StoreError, match="is read-only"):
            await store.append(decisions(decision("f")))
        await told(the_server().get_uri(), f"ALTER DATABASE {name} RESET ALL")
        await end_connections(url)
        await goes_on(store)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("53100", "the disk is full. Make room"),
        ("53300", "takes no more connections"),
        ("28P01", "lets nobody in"),
        ("42501", "may not do what it has to"),
        ("XX001", "is damaged"),
        ("57P03", "cannot be reached"),
        ("P0001", "failed: as the server says"),
    ],
)
async def test_what_the_server_says_is_said_in_other_words(code: str, said: str) -> None:
    """A fault that no test can have for real: a trigger raises it in the middle of a commit."""
    async with plain() as (store, url):
        await told(
            url,
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"RAISE 'as the server says' USING ERRCODE = '{code}'; END $$;"
            "CREATE TRIGGER fail BEFORE INSERT ON missed_stretches EXECUTE FUNCTION fail()",
        )
        batch = decisions(decision("f"))
        batch.missed = [stretch(1)]
        with pytest.raises(StoreError, match=said):
            await store.append(batch)
        await goes_on(store)


async def test_a_database_that_is_not_there_is_said() -> None:
    with pytest.raises(StoreError, match=r"There is no database postgresql://.*/nowhere"):
        await WholePostgresStore(url_of("nowhere")).open()


async def test_a_schema_of_a_later_bridge_is_refused_untouched() -> None:
    url = new_database()
    await told(url, "INSERT INTO schema_versions (version) VALUES (99)")
    with pytest.raises(NewerStoreError, match="has schema version 99, this bridge knows up to"):
        await WholePostgresStore(url).open()


async def test_bridges_that_start_at_once_make_the_schema_once() -> None:
    url = empty_database()
    stores = [WholePostgresStore(url, lease_seconds=0.5) for _ in range(4)]
    opening = await asyncio.gather(*(each.open() for each in stores), return_exceptions=True)
    assert opening.count(None) == 1
    refusals = [str(each) for each in opening if each is not None]
    assert all("Another bridge is using the store" in each for each in refusals)
    await stores[opening.index(None)].close()


async def test_a_role_with_the_documented_rights_needs_no_more() -> None:
    """docs/operations.md: the schema made by its owner, the bridge's role only uses it."""
    url = new_database()
    name = urlsplit(url).path.lstrip("/")
    role = f"bridge_{name}"
    await told(
        url,
        f"CREATE ROLE {role} LOGIN CONNECTION LIMIT 3; GRANT USAGE ON SCHEMA {SCHEMA} TO {role};"
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "
        f"{SCHEMA} TO {role}",
    )
    store = WholePostgresStore(url.replace("postgres:@", f"{role}@"))
    await store.open()
    await goes_on(store)
    await store.close()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:secret@db.example:5432/bridge",
        "postgresql://me@db.example:5432/bridge?password=secret",
        "postgres://me:s%20secret@db.example:5432/bridge?sslmode=require&passfile=secret",
    ],
)
async def test_nobody_is_shown_a_password(url: str) -> None:
    assert shown(url) == "postgresql://db.example:5432/bridge"
    with pytest.raises(StoreError) as raised:
        await WholePostgresStore(url.replace("db.example:5432", "127.0.0.1:1")).open()
    assert "secret" not in str(raised.value)


async def test_an_option_of_the_address_that_is_not_understood_is_said_and_not_shown() -> None:
    with pytest.raises(StoreError, match="is not understood") as raised:
        await WholePostgresStore(f"{url_of('any')}&sslmode=secret").open()
    assert "secret" not in str(raised.value)
