"""A whole bridge, file and socket and all, whose clock is turned by hand."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from aiohttp import ClientSession

from engine.clock import HandClock
from engine.watched_store import WatchedStore
from schedule_bridge.api.limits import Limits
from schedule_bridge.core.model import DAY, SECOND
from schedule_bridge.engine import Engine, Settings
from service.bridge import RunningBridge

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from store.open_stores import MakeStore

# News would set an alarm after whatever is asked, and so keep the clock from getting on.
_SETTINGS = Settings(news_every=DAY)


class Stage(RunningBridge):
    """The bridge and its clock; whoever plays on it says in `settle` how all comes to rest."""

    def __init__(self, folder: Path, session: ClientSession, make_store: MakeStore) -> None:
        super().__init__(folder, session, Limits())
        self._make_store = make_store
        self.clock = HandClock(self._settle)
        self.settle: Callable[[], Awaitable[None]] | None = None
        self.store: WatchedStore

    def make_engine(self, file: Path) -> Engine:
        self.store = WatchedStore(self._make_store(file.parent))
        return Engine(self.store, _SETTINGS, self.clock)

    @property
    def seconds(self) -> float:
        """The time since the beginning."""
        passed = self.clock.monotonic()
        return passed // SECOND if passed % SECOND == 0 else passed / SECOND

    async def go_to(self, seconds: float) -> None:
        """Lets time pass, coming to rest after each thing that is due."""
        await self.clock.pass_time(seconds - self.seconds)

    async def _settle(self) -> None:
        if self.settle is not None:
            await self.settle()


@asynccontextmanager
async def stage_in(folder: Path, make_store: MakeStore) -> AsyncIterator[Stage]:
    async with ClientSession() as session:
        stage = Stage(folder, session, make_store)
        await stage.start()
        try:
            yield stage
        finally:
            stage.settle = None
            await stage.stop()
