"""What the tests of the engine share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .rig import Rig

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    it = Rig(tmp_path)
    await it.start()
    yield it
    await it.stop()
