"""What the tests of the engine share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from databases.stores import sqlite_in

from .rig import Rig

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from store.open_stores import MakeStore


@pytest.fixture
def make_store() -> MakeStore:
    """A module of tests that is about the store as well has one of every kind in its place."""
    return sqlite_in


@pytest.fixture
async def rig(tmp_path: Path, make_store: MakeStore) -> AsyncIterator[Rig]:
    it = Rig(tmp_path, make_store=make_store)
    await it.start()
    yield it
    await it.stop()
