"""A real store that can be told to fail, and knows when nothing is under way."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

from schedule_bridge.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import Execution, ExecutionId, TriggerId
    from schedule_bridge.store import (
        Batch,
        DecisionQuery,
        ExecutionQuery,
        PruneLimits,
        Snapshot,
        Store,
        TriggerPast,
    )


class WatchedStore:
    """Writes for real, unless `fault` is set or it is `full`; `poisoned`, it refuses all content.

    `free_to_write` keeps commits from beginning while it is not set.
    """

    def __init__(self, store: Store) -> None:
        self.real = store
        self.kind = store.kind
        self.fault: Exception | None = None
        self.full = False
        self.poisoned = False
        self.reopened = 0
        self.written: list[str] = []
        self.batches: list[Batch] = []
        self.free_to_write = asyncio.Event()
        self.free_to_write.set()
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def schema_version(self) -> int:
        return self.real.schema_version

    async def open(self) -> None:
        await self.real.open()

    async def close(self) -> None:
        await self.real.close()

    async def decisions(self, query: DecisionQuery) -> list[tuple[int, Decision]]:
        return await self.real.decisions(query)

    async def executions(self, query: ExecutionQuery) -> list[Execution]:
        return await self.real.executions(query)

    async def execution(self, execution_id: ExecutionId) -> Execution | None:
        return await self.real.execution(execution_id)

    async def pasts(
        self, trigger_ids: Sequence[TriggerId], *, runs: int, missed: int
    ) -> dict[TriggerId, TriggerPast]:
        return await self.real.pasts(trigger_ids, runs=runs, missed=missed)

    async def append(self, batch: Batch) -> None:
        await self.free_to_write.wait()
        with self._busy():
            if self.fault is not None:
                raise self.fault
            if self.poisoned and not batch.empty:
                raise StoreError("It cannot be written.")
            if self.full:
                raise StoreError("The disk is full.")
            await self.real.append(batch)
            self.batches.append(batch)
            self.written.append("commit")

    async def prune(self, limits: PruneLimits) -> int:
        gone = await self.real.prune(limits)
        self.written.append("prune")
        return gone

    async def reopen(self) -> None:
        with self._busy():
            self.reopened += 1
            await self.real.reopen()

    async def load(self) -> Snapshot:
        with self._busy():
            if self.fault is not None:
                raise StoreError("The disk is gone.")
            return await self.real.load()

    async def idle(self) -> None:
        """Until no commit and no reading back is under way."""
        await self._idle.wait()

    @contextmanager
    def _busy(self) -> Iterator[None]:
        self._under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()
