"""A store of every numbered version opens in this one, and a number never changes its meaning."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest

from schedule_bridge.store import SqliteStore, Store, StoreError

from .filled import fill, shown
from .open_stores import opened

_VERSIONS = Path(__file__).parent / "versions"
_SCHEMAS = resources.files("schedule_bridge.store") / "sql" / "sqlite"
_SHAPES = {
    "0001": "ce7e589c83ff6f402a28036ea7b06cb4699c7d9d7995f1d2912adabc61f2640c",
    "0002": "477c57edce4ca72cc7fc6e65f988ed88ff4a8c539eed4c19d0ddb64cb52812dd",
    "0003": "ebe923051fd083e7e20f5ed2fa39112e9106cf5e25a7cf522ebc69c6e043312d",
}
"""The schema that a new store has at each version. A released one never changes: add a number."""


def _number(name: str) -> str:
    return name.partition("_")[0]


def _scripts() -> dict[str, str]:
    return {_number(file.name): file.read_text() for file in _SCHEMAS.iterdir()}


def _make_store(folder: Path) -> Store:
    return SqliteStore(folder / "bridge.db")


def _restore(file: Path, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(file.read_text())


def test_versions_are_numbered_without_a_gap() -> None:
    assert sorted(_scripts()) == [f"{number:04}" for number in range(1, len(_scripts()) + 1)]


@pytest.mark.parametrize("version", sorted(_scripts()))
def test_the_schema_of_a_version_never_changes(version: str) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        for number, script in sorted(_scripts().items()):
            if number <= version:
                connection.executescript(script)
        made = connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
        shape = hashlib.sha256(repr(made.fetchall()).encode()).hexdigest()
    assert shape == _SHAPES[version], "a change of the schema needs a numbered file of its own"


def test_a_file_of_every_version_is_kept() -> None:
    assert {_number(file.name) for file in _VERSIONS.glob("*.sql")} == _scripts().keys()


@pytest.mark.parametrize("file", sorted(_VERSIONS.glob("*.sql")), ids=lambda file: file.stem)
async def test_a_store_of_every_version_opens_with_all_that_it_holds(
    file: Path, tmp_path: Path
) -> None:
    _restore(file, tmp_path / "bridge.db")
    (tmp_path / "new").mkdir()
    async with opened(_make_store, tmp_path / "new") as new, opened(_make_store, tmp_path) as old:
        await fill(new)
        assert await shown(old) == await shown(new)
        assert old.schema_version == new.schema_version


async def test_a_migration_that_fails_leaves_the_store_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(_make_store, tmp_path) as store:
        await fill(store)
        before = await shown(store)
    known = [text for _, text in sorted(_scripts().items())]
    broken = "DROP TABLE decisions; CREATE TABLE settings (name TEXT);"
    with monkeypatch.context() as patch:
        patch.setattr("schedule_bridge.store.sqlite.MIGRATIONS", [*known, broken])
        with pytest.raises(StoreError, match="already exists"):
            await _make_store(tmp_path).open()
    async with opened(_make_store, tmp_path) as store:
        assert await shown(store) == before
