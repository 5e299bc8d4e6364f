"""Group commits: what is decided while one commit is under way goes into the next.

A decision is applied in memory at once and answered only when its batch is durable. When a
commit fails, that batch and everything decided after it come to nothing, and the owner reads
its memory back from the store.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from schedule_bridge.engine.chronicle import Chronicle
from schedule_bridge.engine.errors import StoreUnavailableError
from schedule_bridge.store import Batch

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from schedule_bridge.engine.tally import Tally
    from schedule_bridge.store import Store

Tell: TypeAlias = Callable[[Exception | None], None]
"""Is given None once something is durable, or why it never will be."""

log = logging.getLogger("schedule_bridge.engine")

_ENOUGH = 64
"""How many may wait for others to join their commit: some milliseconds of deciding."""


@dataclass(slots=True)
class _Pending:
    """A batch that is being gathered, and what is to be done once it is durable."""

    batch: Batch = field(default_factory=Batch)
    chronicle: Chronicle = field(default_factory=Chronicle)
    then: list[Callable[[], None]] = field(default_factory=list)
    waiting: list[Tell] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to commit and nothing to do after it."""
        return self.batch.empty and not self.then

    def committed(self) -> None:
        """Tells who waits that it is durable."""
        for tell in self.waiting:
            _do(partial(tell, None))

    def failed(self, error: Exception) -> None:
        """Tells who waits that it will never be durable.

        Not now: whoever is told may ask again at once, and memory still holds what was lost.
        """
        loop = asyncio.get_running_loop()
        for tell in self.waiting:
            loop.call_soon(_do, partial(tell, StoreUnavailableError(str(error))))


class Commits:
    """One writer that commits batch after batch."""

    def __init__(
        self,
        store: Store,
        tally: Tally,
        *,
        on_success: Callable[[], None],
        on_failure: Callable[[Exception], Awaitable[None]],
    ) -> None:
        self.tally = tally
        self._store = store
        self._on_success = on_success
        self._on_failure = on_failure
        self._wake = asyncio.Event()
        self._gathering = _Pending()
        self._under_way: _Pending | None = None
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="commits")

    @property
    def batch(self) -> Batch:
        """The batch that gathers what is decided now."""
        return self._gathering.batch

    @property
    def chronicle(self) -> Chronicle:
        """What is said of that batch once it is durable."""
        return self._gathering.chronicle

    def then(self, act: Callable[[], None]) -> None:
        """Does something once all that has been decided so far is durable."""
        self._gathering.then.append(act)

    def nudge(self) -> None:
        """Lets the writer commit what has been gathered, if anything has."""
        if not self._gathering.empty:
            self._wake.set()

    def when_calm(self, act: Callable[[], None]) -> None:
        """Does something now, or once a large batch that is being written is durable or lost.

        To write many rows takes a store's thread long, and longer beside a loop that is busy.
        """
        if self._under_way is not None and self._under_way.batch.is_large:
            self._under_way.waiting.append(lambda _: act())
        else:
            act()

    def when_durable(self, tell: Tell) -> None:
        """Tells it once all that has been decided so far is durable, at once if it is."""
        if not self._gathering.empty:
            self._wake.set()
            self._gathering.waiting.append(tell)
        elif self._under_way is not None:
            self._under_way.waiting.append(tell)
        else:
            tell(None)

    async def durable(self) -> None:
        """Waits until all that has been decided so far is durable.

        Raises:
            StoreUnavailableError: it never will be; nothing of it counts.
        """
        if self._under_way is None and self._gathering.empty:
            return
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.when_durable(partial(_settle, told))
        await told

    async def close(self) -> None:
        """Commits what is left and stops."""
        self._closing = True
        self._wake.set()
        await self._task

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._until_quiet()
            pending, self._gathering = self._gathering, _Pending()
            self._under_way = pending
            await self._commit(pending)
            if self._closing and self._gathering.empty:
                return

    async def _until_quiet(self) -> None:
        """Waits while each turn of the loop brings more, up to a number.

        A commit costs as much as many decisions. Callers who ask again as soon as they are answered
        would be halved for ever: one half asks while the other half's commit is under way.
        """
        known = 0
        while known < len(self._gathering.waiting) < _ENOUGH:
            known = len(self._gathering.waiting)
            await asyncio.sleep(0)

    async def _commit(self, pending: _Pending) -> None:
        try:
            if not pending.batch.empty:
                await self._append(pending.batch)
        except Exception as error:
            self.tally.failed_commits += 1
            failed, self._gathering = [pending, self._gathering], _Pending()
            self._under_way = None
            for each in failed:
                each.failed(error)
            await self._on_failure(error)
            return
        self._under_way = None
        for act in pending.then:  # first: the answer to a report follows on all that was decided
            _do(act)
        pending.committed()
        pending.chronicle.count(self.tally)
        # Last, when all of that has been sent: clients wait for what they are told.
        asyncio.get_running_loop().call_soon(_do, pending.chronicle.say)

    async def _append(self, batch: Batch) -> None:
        began = perf_counter()
        await self._store.append(batch)
        self._on_success()
        self.tally.committed(batch.rows, perf_counter() - began)


def _settle(told: asyncio.Future[None], error: Exception | None) -> None:
    if told.done():
        return  # who was cancelled does not wait any more
    if error is None:
        told.set_result(None)
    else:
        told.set_exception(error)


def _do(act: Callable[[], None]) -> None:
    """One client's trouble keeps nothing from the others."""
    try:
        act()
    except Exception:
        log.exception("Telling a client failed.", extra={"action": "tell"})
