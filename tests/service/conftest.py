"""What the tests of the service share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service.bridge import RunningBridge, running_bridge
from service.edge import Edge, running


@pytest.fixture
async def edge() -> AsyncIterator[Edge]:
    async with running() as it:
        yield it


@pytest.fixture
async def bridge(tmp_path: Path) -> AsyncIterator[RunningBridge]:
    async with running_bridge(tmp_path) as it:
        yield it
