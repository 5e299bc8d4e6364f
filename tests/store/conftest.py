"""Every store passes these tests: `make_store` gives one over a folder, new or used before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from schedule_bridge.store import SqliteStore

from .open_stores import MakeStore, opened

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from schedule_bridge.store import Store


def _sqlite(folder: Path) -> Store:
    return SqliteStore(folder / "bridge.db")


@pytest.fixture(params=[pytest.param(_sqlite, id="sqlite")], scope="session")
def make_store(request: pytest.FixtureRequest) -> MakeStore:
    make: MakeStore = request.param
    return make


@pytest.fixture
async def store(make_store: MakeStore, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(make_store, tmp_path) as it:
        yield it
