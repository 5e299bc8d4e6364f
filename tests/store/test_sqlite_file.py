"""The file of the embedded store: private, versioned, one bridge's at a time."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from schedule_bridge.store import Batch, NewerStoreError, SqliteStore, StoreError

from .open_stores import opened

if TYPE_CHECKING:
    from pathlib import Path


def make(folder: Path) -> SqliteStore:
    return SqliteStore(folder / "bridge.db")


async def test_every_file_is_the_owners_alone(tmp_path: Path) -> None:
    old = os.umask(0)  # the most careless there is
    try:
        async with opened(make, tmp_path / "data") as store:
            await store.append(Batch(clock=1))
            modes = {path.name: path.stat().st_mode & 0o777 for path in store_files(tmp_path)}
    finally:
        os.umask(old)
    assert {"bridge.db", "bridge.db-shm", "bridge.db-wal", "bridge.db.lock"} <= modes.keys()
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def store_files(folder: Path) -> list[Path]:
    return sorted((folder / "data").iterdir())


async def test_a_second_bridge_is_kept_away(tmp_path: Path) -> None:
    async with opened(make, tmp_path):
        second = make(tmp_path)
        with pytest.raises(StoreError, match="Another bridge is using the store"):
            await second.open()
    async with opened(make, tmp_path) as third:
        assert (await third.load()).clock == 0


async def test_a_store_of_a_later_version_is_refused_untouched(tmp_path: Path) -> None:
    async with opened(make, tmp_path) as store:
        await store.append(Batch(clock=5))
        known = store.schema_version
    set_version(tmp_path, known + 1)
    with pytest.raises(NewerStoreError, match=f"version {known + 1}, this bridge knows up to"):
        await make(tmp_path).open()
    set_version(tmp_path, known)
    async with opened(make, tmp_path) as store:
        assert (await store.load()).clock == 5


def set_version(folder: Path, version: int) -> None:
    with closing(sqlite3.connect(folder / "bridge.db")) as connection:
        connection.execute(f"PRAGMA user_version = {version}")


async def test_a_file_that_is_no_database_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "bridge.db").write_text("these are not the tables you are looking for" * 99)
    with pytest.raises(StoreError, match=r"bridge\.db is no store of the bridge: file is not"):
        await make(tmp_path).open()


async def test_commits_are_on_the_disk_before_they_are_answered(tmp_path: Path) -> None:
    async with opened(make, tmp_path) as store:
        assert isinstance(store, SqliteStore)
        connection = store._writer

        def pragma(name: str) -> object:
            return connection.execute(f"PRAGMA {name}").fetchone()[name]

        assert (pragma("synchronous"), pragma("journal_mode")) == (2, "wal")
