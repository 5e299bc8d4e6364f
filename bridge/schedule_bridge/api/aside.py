"""Work that takes long is done beside the loop, so that no decision waits for it."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from schedule_bridge.api.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")

INLINE_BYTES: Final = 16 * 1024
_WAITING_AT_MOST: Final = 16


class TooBusy(Problem):
    """So much is being tried out already that this would wait for long."""

    status = 429
    code = "too-busy"
    title = "Too much is being tried out at once"


async def by_size(size: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Does work that takes time in proportion to so many bytes: at once, if they are few."""
    if size <= INLINE_BYTES:
        return work(*args, **kwargs)
    return await asyncio.to_thread(work, *args, **kwargs)


class Rehearsal:
    """Where what would happen is tried out: previews, scenarios, replays, one after the other.

    Several at once would take turns with the loop as well, each of them for milliseconds, and
    would keep large bodies from being read.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "rehearsal")
        self._waiting = 0
        self._over = False

    async def do(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does the work when its turn comes; raises TooBusy if that would be in a long while."""
        if self._over:
            raise TooBusy("The bridge stops.")
        if self._waiting >= _WAITING_AT_MOST:
            raise TooBusy("Ask again when the previews and simulations before this are done.")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, partial(work, *args, **kwargs))
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Drops what waits, and takes nothing more."""
        self._over = True
        self._thread.shutdown(wait=False, cancel_futures=True)
