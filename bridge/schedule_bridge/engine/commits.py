"""Group commits: what is decided while one commit is under way goes into the next.

A decision is applied in memory at once and answered only when its batch is durable. When a
commit fails, that batch and everything decided after it come to nothing, and the owner reads
its memory back from the store.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from schedule_bridge.engine.errors import StoreUnavailableError
from schedule_bridge.store import Batch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from schedule_bridge.engine.tally import Tally
    from schedule_bridge.store import Store

log = logging.getLogger("schedule_bridge.engine")


@dataclass(slots=True)
class _Pending:
    """A batch that is being gathered, and what is to be done once it is durable."""

    durable: asyncio.Future[None]
    batch: Batch = field(default_factory=Batch)
    then: list[Callable[[], None]] = field(default_factory=list)


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
        self._gathering = self._new()
        self._last: asyncio.Future[None] | None = None
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="commits")

    @property
    def batch(self) -> Batch:
        """The batch that gathers what is decided now."""
        return self._gathering.batch

    def then(self, act: Callable[[], None]) -> None:
        """Does something once all that has been decided so far is durable."""
        self._gathering.then.append(act)

    def nudge(self) -> None:
        """Lets the writer commit what has been gathered, if anything has."""
        if not self._gathering.batch.empty or self._gathering.then:
            self._wake.set()

    async def durable(self) -> None:
        """Waits until all that has been decided so far is durable.

        Raises:
            StoreUnavailableError: it never will be; nothing of it counts.
        """
        if self._gathering.batch.empty and not self._gathering.then:
            if self._last is not None and not self._last.done():
                await asyncio.shield(self._last)
            return
        self.nudge()
        await asyncio.shield(self._gathering.durable)

    async def close(self) -> None:
        """Commits what is left and stops."""
        self._closing = True
        self._wake.set()
        await self._task

    def _new(self) -> _Pending:
        durable: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        durable.add_done_callback(_retrieve)
        return _Pending(durable)

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            pending, self._gathering = self._gathering, self._new()
            self._last = pending.durable
            await self._commit(pending)
            if self._closing and self._gathering.batch.empty and not self._gathering.then:
                return

    async def _commit(self, pending: _Pending) -> None:
        try:
            if not pending.batch.empty:
                await self._append(pending.batch)
        except Exception as error:
            self.tally.failed_commits += 1
            failed, self._gathering = [pending, self._gathering], self._new()
            for each in failed:
                each.durable.set_exception(StoreUnavailableError(str(error)))
            await self._on_failure(error)
            return
        pending.durable.set_result(None)
        for act in pending.then:
            _do(act)

    async def _append(self, batch: Batch) -> None:
        began = perf_counter()
        await self._store.append(batch)
        self._on_success()
        self.tally.committed(batch.rows, perf_counter() - began)


def _do(act: Callable[[], None]) -> None:
    """One client's trouble keeps nothing from the others."""
    try:
        act()
    except Exception:
        log.exception("Telling a client failed.", extra={"action": "tell"})


def _retrieve(durable: asyncio.Future[None]) -> None:
    """Marks a failure as seen: whoever waits is told, and nobody may be waiting."""
    if not durable.cancelled():
        durable.exception()
