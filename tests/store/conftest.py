"""Every store passes these tests: `make_store` gives one over a folder, new or used before."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from databases.stores import EVERY_KIND

from .open_stores import MakeStore, opened

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from schedule_bridge.store import Store


@pytest.fixture(params=EVERY_KIND, scope="session")
def make_store(request: pytest.FixtureRequest) -> MakeStore:
    make: MakeStore = request.param
    return make


@pytest.fixture
async def store(make_store: MakeStore) -> AsyncIterator[Store]:
    with TemporaryDirectory() as folder:
        async with opened(make_store, Path(folder)) as it:
            yield it
