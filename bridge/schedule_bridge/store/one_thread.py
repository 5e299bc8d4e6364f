"""A thread for what waits for the disk."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class OneThread:
    """Does one piece of work after the other, in the order in which they are given."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, name)
        self._given: set[Future[Any]] = set()

    @property
    def is_idle(self) -> bool:
        """Whether all that it was given is done, or was called off before it began."""
        return not self._given

    def give(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Has the work done; to cancel the future calls off what has not begun."""
        given = self._executor.submit(work)
        self._given.add(given)
        given.add_done_callback(self._given.discard)  # what came of it can be large
        return asyncio.wrap_future(given)

    def end(self) -> None:
        """Waits until all is done, and takes no more."""
        self._executor.shutdown()
