"""One thing after the other, though whoever asked for it may have gone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")


class Turns:
    """What has been given is done in that order, and to its end: begun is begun."""

    def __init__(self) -> None:
        self._last: asyncio.Task[Any] | None = None

    async def give(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Has the work done when its turn comes; to be cancelled only ends the waiting."""
        task = asyncio.create_task(_after(self._last, work))
        task.add_done_callback(_heard)
        self._last = task
        return await asyncio.shield(task)

    async def all_done(self) -> None:
        """Waits until nothing is left to do."""
        if self._last is not None:
            await asyncio.wait([self._last])


async def _after(before: asyncio.Task[Any] | None, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    if before is not None and not before.done():
        await asyncio.wait([before])
    return await work()


def _heard(task: asyncio.Task[Any]) -> None:
    """Nobody may wait any more for what has failed; it was the waiting one's to say so."""
    if not task.cancelled():
        task.exception()
