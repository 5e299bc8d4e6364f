"""One store, many lives: traffic goes on while bridges are killed and started again."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

from aiohttp import ClientSession

from crash.cast import CAST, WORKSPACES
from crash.closing import close_down
from crash.commander import Commander, Registrar
from crash.record import Record, ask
from crash.runners import ApiRunner
from crash.stage import Stage
from crash.stream_client import StreamClient

if TYPE_CHECKING:
    from crash.history import History
    from crash.house import House

_CLIENTS = tuple(sorted({part.client_id for part in CAST if part.client_id is not None}))


class Episode:
    """A seeded episode: the traffic of the cast, over a house of bridges."""

    def __init__(self, seed: str, house: House) -> None:
        self.house = house
        self.record = Record()
        self.seed = seed
        self._runners_stop = asyncio.Event()

    @property
    def history(self) -> History:
        """What the clients saw."""
        return self.house.history

    async def play(self) -> None:
        """The whole of it; afterwards `history` and `record` are there to be judged."""
        try:
            async with ClientSession() as session, asyncio.TaskGroup() as group:
                stage = Stage(session, self.house)
                clients = self._cast_clients(stage)
                acting = [each.act() for each in clients]
                acting += [each.act() for each in self._cast_runners(stage)]
                running = [group.create_task(act) for act in acting]
                asking = group.create_task(self._ask(stage))
                await self.house.suffer(stage)
                stage.closing.set()
                await asking
                await close_down(stage, clients)
                await ask(stage, self.record, tuple(WORKSPACES))
                self._runners_stop.set()
                await self.house.stop()
                await _stop(running)
        finally:
            await self.house.end()
        await self.house.read_into(self.record)

    async def _ask(self, stage: Stage) -> None:
        """The programs that ask for things, once there is something to ask for."""
        registrar = Registrar(stage, self._random("registrar"))
        await registrar.declare_all()
        commanders = [Commander(f"p{n}", stage, self._random(f"p{n}")) for n in range(3)]
        await asyncio.gather(registrar.act(), *(each.act() for each in commanders))

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
        return Random(f"{self.seed}/{who}")  # noqa: S311 - a seeded draw, not a secret


async def _stop(running: list[asyncio.Task[None]]) -> None:
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
