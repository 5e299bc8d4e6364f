"""Every store passes these tests: `make_store` gives one over a folder, new or used before."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from databases.server import emptied, new_database
from schedule_bridge.store import SqliteStore
from schedule_bridge.store.postgres import WholePostgresStore

from .open_stores import MakeStore, opened

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from schedule_bridge.store import Store


def _sqlite(folder: Path) -> Store:
    return SqliteStore(folder / "bridge.db")


_databases: dict[Path, str] = {}


def _postgresql(folder: Path) -> Store:
    """One database a folder; that of a folder which is gone serves again."""
    if folder not in _databases:
        left = next((other for other in _databases if not other.exists()), None)
        _databases[folder] = emptied(_databases.pop(left)) if left else new_database()
    return WholePostgresStore(_databases[folder])


@pytest.fixture(
    params=[pytest.param(_sqlite, id="sqlite"), pytest.param(_postgresql, id="postgresql")],
    scope="session",
)
def make_store(request: pytest.FixtureRequest) -> MakeStore:
    make: MakeStore = request.param
    return make


@pytest.fixture
async def store(make_store: MakeStore) -> AsyncIterator[Store]:
    with TemporaryDirectory() as folder:
        async with opened(make_store, Path(folder)) as it:
            yield it
