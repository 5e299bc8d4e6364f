"""What the tests of the service share."""

from collections.abc import AsyncIterator

import pytest

from service.edge import Edge, running


@pytest.fixture
async def edge() -> AsyncIterator[Edge]:
    async with running() as it:
        yield it
