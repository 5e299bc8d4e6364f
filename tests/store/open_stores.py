"""Stores that are open for a while."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from schedule_bridge.store import Batch, Snapshot, Store

MakeStore: TypeAlias = Callable[[Path], Store]


@asynccontextmanager
async def opened(make_store: MakeStore, folder: Path) -> AsyncIterator[Store]:
    store = make_store(folder)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def after_reopening(make_store: MakeStore, folder: Path, *batches: Batch) -> Snapshot:
    """What a store loads that was closed and opened again after each batch."""
    for batch in batches:
        async with opened(make_store, folder) as store:
            await store.append(batch)
    async with opened(make_store, folder) as store:
        return await store.load()
