"""One bridge on one store, killed and started again as often as is wanted."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

from crash.history import History
from crash.victim import Victim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from crash.aims import Aims
    from crash.keeping import Keeping
    from crash.record import Record
    from crash.stage import Stage

_LONGEST_LIFE_SECONDS = 1.5


class OneBridge:
    """A House of one."""

    patience = 10.0
    may_be_away = False

    def __init__(
        self,
        folder: Path,
        seed: str,
        kills: Iterable[int],
        aims: Aims | None,
        keep: Callable[[Path], Keeping],
    ) -> None:
        """Kills as often as `kills` has items; they may be handed out to several houses.

        Without aims every kill comes from outside.
        """
        self.history = History()
        self._random = Random(f"{seed}/kills")  # noqa: S311 - a seeded draw, not a secret
        self._kills = kills
        self._aims = aims
        self._keeping = keep(folder / "schedule-bridge")
        self._victim = Victim(folder, self.history, whole=self._keeping.url)

    @property
    def token(self) -> str:
        """What its clients say."""
        return self._victim.token

    async def way_in(self) -> str:
        """Its address, while it listens."""
        await self._victim.up.wait()
        return self._victim.base

    async def suffer(self, _: Stage) -> None:
        """Is killed again and again, and looked at by `doctor` after every kill."""
        for _each in self._kills:
            await self._live_and_die()
        await self._victim.start()
        await self._victim.listens()

    async def _live_and_die(self) -> None:
        aim = self._aims.next(self._random) if self._aims is not None else None
        longest = _LONGEST_LIFE_SECONDS
        if aim is None:
            longest = self._random.uniform(0, _LONGEST_LIFE_SECONDS)
        await self._victim.start(aim)
        await self._victim.kill_within(longest)
        await self._examine()

    async def _examine(self) -> None:
        self.history.errors += await asyncio.to_thread(self._keeping.faults)

    async def stop(self) -> None:
        """In order: its exit code says that nothing was in the way."""
        if (code := await self._victim.terminate()) != 0:
            self.history.errors.append(f"The bridge stopped with exit code {code}.")

    async def end(self) -> None:
        """Kills it if it is still there."""
        self._victim.kill()

    async def read_into(self, record: Record) -> None:
        """What its store holds, which has to be sound."""
        await self._examine()
        await self._keeping.read_into(record)
