"""One store, many lives: traffic goes on while the bridge is killed and started again."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

from aiohttp import ClientSession

from crash.cast import CAST, WORKSPACES
from crash.closing import close_down
from crash.commander import Commander, Registrar
from crash.history import History
from crash.record import Record, ask
from crash.runners import ApiRunner
from crash.stage import Stage
from crash.stream_client import StreamClient
from crash.victim import Victim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from crash.aims import Aims
    from crash.keeping import Keeping

_LONGEST_LIFE_SECONDS = 1.5
_CLIENTS = tuple(sorted({part.client_id for part in CAST if part.client_id is not None}))


class Episode:
    """A seeded episode in a folder of its own."""

    def __init__(
        self,
        folder: Path,
        seed: str,
        kills: Iterable[int],
        aims: Aims | None,
        keep: Callable[[Path], Keeping],
    ) -> None:
        """Kills as often as `kills` has items; they may be handed out to several episodes.

        Without aims every kill comes from outside.
        """
        self.history = History()
        self.record = Record()
        self._seed = seed
        self._kills = kills
        self._aims = aims
        self._victim = Victim(folder, self.history, keep)
        self._runners_stop = asyncio.Event()

    async def play(self) -> None:
        """The whole of it; afterwards `history` and `record` are there to be judged."""
        try:
            async with ClientSession() as session, asyncio.TaskGroup() as group:
                stage = Stage(session, self._victim, self.history)
                clients = self._cast_clients(stage)
                acting = [each.act() for each in clients]
                acting += [each.act() for each in self._cast_runners(stage)]
                running = [group.create_task(act) for act in acting]
                asking = group.create_task(self._ask(stage))
                await self._kill_again_and_again()
                await self._victim.start()
                await self._victim.listens()
                stage.closing.set()
                await asking
                await close_down(stage, clients)
                await ask(stage, self.record, tuple(WORKSPACES))
                self._runners_stop.set()
                await self._stop(running)
        finally:
            self._victim.kill()
        keeping = self._victim.keeping
        self.history.errors += await asyncio.to_thread(keeping.faults)
        await keeping.read_into(self.record)

    async def _ask(self, stage: Stage) -> None:
        """The programs that ask for things, once there is something to ask for."""
        registrar = Registrar(stage, self._random("registrar"))
        await registrar.declare_all()
        commanders = [Commander(f"p{n}", stage, self._random(f"p{n}")) for n in range(3)]
        await asyncio.gather(registrar.act(), *(each.act() for each in commanders))

    async def _kill_again_and_again(self) -> None:
        random = self._random("kills")
        for _ in self._kills:
            aim = self._aims.next(random) if self._aims is not None else None
            longest = _LONGEST_LIFE_SECONDS
            if aim is None:
                longest = random.uniform(0, _LONGEST_LIFE_SECONDS)
            await self._victim.start(aim)
            await self._victim.kill_within(longest)

    async def _stop(self, running: list[asyncio.Task[None]]) -> None:
        """The bridge has to stop in order, with its clients connected."""
        if (code := await self._victim.terminate()) != 0:
            self.history.errors.append(f"The bridge stopped with exit code {code}.")
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _cast_clients(self, stage: Stage) -> list[StreamClient]:
        return [
            StreamClient(name, stage, self._random(name), self._runners_stop) for name in _CLIENTS
        ]

    def _cast_runners(self, stage: Stage) -> list[ApiRunner]:
        return [
            ApiRunner(name, stage, self._random(name), self._runners_stop) for name in ("r1", "r2")
        ]

    def _random(self, who: str) -> Random:
        """Everybody draws apart, so that one's delay changes nobody else's draws."""
        return Random(f"{self._seed}/{who}")  # noqa: S311 - a seeded draw, not a secret
