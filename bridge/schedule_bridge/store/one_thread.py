"""A thread for what waits for the disk."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class OneThread:
    """Does one piece of work after the other, in the order in which they are given.

    A thread pool would do the same at three times the cost of handing work over and back, which a
    single decision waits for.
    """

    def __init__(self, name: str) -> None:
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._given = 0
        # What is under way when the process ends is as what a crash cuts off.
        self._thread = Thread(target=self._work, name=name, daemon=True)

    @property
    def is_idle(self) -> bool:
        """Whether all that it was given is done, or was called off before it began."""
        return self._given == 0

    def give(self, work: Callable[[], T], *, certain: bool = False) -> asyncio.Future[T]:
        """Has the work done; to cancel the future calls off what has not begun, unless certain."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._given += 1

        def do() -> None:
            result, error = None, None
            if certain or not future.cancelled():
                try:
                    result = work()
                except BaseException as raised:
                    error = raised
            with suppress(RuntimeError):  # the loop has been closed: nobody waits
                loop.call_soon_threadsafe(self._done, future, result, error)

        self._queue.put(do)
        if self._thread.ident is None:
            self._thread.start()
        return future

    def _done(
        self, future: asyncio.Future[Any], result: object, error: BaseException | None
    ) -> None:
        self._given -= 1
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)

    def _work(self) -> None:
        while (do := self._queue.get()) is not None:
            do()
            del do  # what came of it can be large

    def end(self) -> None:
        """Waits until all is done, and takes no more."""
        self._queue.put(None)
        if self._thread.ident is not None:
            self._thread.join()
