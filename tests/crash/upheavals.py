"""What befalls several bridges of one store, one after the other, by a seeded draw."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from itertools import cycle
from random import Random
from signal import SIGCONT, SIGSTOP
from time import monotonic
from typing import TYPE_CHECKING

from crash.cast import LASTING, WORKSPACES
from databases.server import restart_the_server

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from crash.several_bridges import SeveralBridges
    from crash.stage import Stage
    from crash.victim import Victim

WHO = "watch"
_TAKEN_WITHIN_SECONDS = 60
_PAUSE_SECONDS = 0.05
_ASKED_FOR_SECONDS = 0.5
"""Shorter than the waits of bridges, so that these do not count."""


class Upheavals:
    """`befallen` counts them by name; `taken_over` has the seconds until somebody decided again.

    Seconds count from the beginning of what befell the owner of a workspace to the first answer
    that decides something there.
    """

    def __init__(self, seed: str, seconds: float) -> None:
        """Begins the last of them after so many seconds."""
        self.befallen: Counter[str] = Counter()
        self.taken_over: dict[str, list[float]] = defaultdict(list)
        self._seed = seed
        self._random = Random(seed)  # noqa: S311 - a seeded draw, not a secret
        self._seconds = seconds
        self._house: SeveralBridges
        self._stage: Stage
        self._kinds: dict[str, Callable[[str], Awaitable[None]]] = {
            "killed": self._kill,
            "stood still": self._stand_still,
            "stopped in order": self._stop,
            "cut off": self._cut,
            "held back": self._hold_back,
            "database restarted, fast": self._restart_fast,
            "database restarted, immediate": self._restart_immediately,
        }

    async def happen(self, house: SeveralBridges, stage: Stage) -> None:
        """Each of them at least once, if there is time, and then any; all bridges live at last."""
        self._house, self._stage = house, stage
        until = monotonic() + self._seconds
        handing = asyncio.create_task(self._keep_handing_over())
        to_come: list[str] = []
        while monotonic() < until:
            to_come = to_come or self._random.sample(list(self._kinds), len(self._kinds))
            name = to_come.pop()
            await asyncio.sleep(self._random.uniform(0.2, 1.5))
            await self._kinds[name](name)
            self.befallen[name] += 1
        handing.cancel()
        await asyncio.gather(handing, return_exceptions=True)

    # what befalls bridges

    async def _kill(self, name: str) -> None:
        """One of them, two, or all; those that are left take over."""
        killed = await self._some(self._random.choice((1, 1, 1, 2, 3)))
        orphaned = await self._house.held_by(killed)
        began = monotonic()
        for bridge in killed:
            bridge.kill()
        await asyncio.gather(*(bridge.killed() for bridge in killed))
        dead = self._random.uniform(0, 3)
        watching = self._watch(name, orphaned, killed, began)
        await asyncio.gather(watching, self._start_later(killed, dead))

    async def _stop(self, name: str) -> None:
        (bridge,) = stopped = await self._some(1)
        orphaned = await self._house.held_by(stopped)
        began = monotonic()
        stopping = self._house.stop_in_order(bridge)
        await asyncio.gather(self._watch(name, orphaned, stopped, began), stopping)
        await self._start_later(stopped, self._random.uniform(0, 1))

    async def _stand_still(self, name: str) -> None:
        """Longer than the lease: afterwards it believes that no time has passed."""
        (bridge,) = still = await self._some(1)
        orphaned = await self._house.held_by(still)
        began = monotonic()
        bridge.signal(SIGSTOP)
        try:
            watching = asyncio.create_task(self._watch(name, orphaned, still, began))
            await asyncio.sleep(self._longer_than_a_lease())
        finally:
            bridge.signal(SIGCONT)
        await watching

    async def _cut(self, name: str) -> None:
        (bridge,) = await self._some(1)
        cable = self._house.cables[self._house.bridges.index(bridge)]
        await self._without(cable.cut, cable.mend, name, bridge)

    async def _hold_back(self, name: str) -> None:
        """What it has sent to the database comes there after its lease has run out."""
        (bridge,) = await self._some(1)
        cable = self._house.cables[self._house.bridges.index(bridge)]
        await self._without(cable.hold_back, cable.mend, name, bridge)

    async def _without(
        self, begin: Callable[[], None], end: Callable[[], None], name: str, bridge: Victim
    ) -> None:
        orphaned = await self._house.held_by([bridge])
        began = monotonic()
        begin()
        try:
            watching = asyncio.create_task(self._watch(name, orphaned, [bridge], began))
            await asyncio.sleep(self._longer_than_a_lease())
        finally:
            end()
        await watching

    async def _restart_fast(self, name: str) -> None:
        await self._restart(name, "fast")

    async def _restart_immediately(self, name: str) -> None:
        await self._restart(name, "immediate")

    async def _restart(self, name: str, mode: str) -> None:
        began = monotonic()
        await asyncio.to_thread(restart_the_server, mode)
        await self._watch(name, WORKSPACES, (), began)

    async def _keep_handing_over(self) -> None:
        """At any moment, whatever else befalls who has it and who is to have it."""
        random = Random(f"{self._seed}/hand-over")  # noqa: S311 - a seeded draw, not a secret
        while True:
            await asyncio.sleep(random.uniform(0.2, 2))
            workspace = random.choice(tuple(WORKSPACES))
            to = {"to": random.choice(self._house.bridges).base}
            call = await self._stage.call(WHO, "POST", f"/v1/workspaces/{workspace}/hand-over", to)
            self.befallen["handed over"] += call.done

    # what comes of it

    async def _watch(
        self, name: str, workspaces: Iterable[str], but: Iterable[Victim], began: float
    ) -> None:
        """Waits until somebody decides again in each workspace, asking any bridge `but` these."""
        others = [each for each in self._house.bridges if each not in but]
        watching = [self._decided(each, others, began) for each in workspaces]
        async with asyncio.timeout(_TAKEN_WITHIN_SECONDS):
            took = await asyncio.gather(*watching)
        if others:
            self.taken_over[name] += took

    async def _decided(self, workspace: str, asked: list[Victim], began: float) -> float:
        path = f"/v1/triggers/{LASTING[workspace]}/fire"
        key = self._stage.new_key(WHO)
        for at in cycle([bridge.base for bridge in asked] or [None]):
            call = await self._stage.call(
                WHO, "POST", path, {}, key=key, at=at, patience=_ASKED_FOR_SECONDS
            )
            if call.done:
                break
            await asyncio.sleep(_PAUSE_SECONDS)
        return monotonic() - began

    async def _some(self, count: int) -> list[Victim]:
        """Of those that own anything first, so that it matters."""
        bridges = self._random.sample(self._house.bridges, len(self._house.bridges))
        owning = [bridge for bridge in bridges if await self._house.held_by([bridge])]
        return [*owning, *(bridge for bridge in bridges if bridge not in owning)][:count]

    def _longer_than_a_lease(self) -> float:
        return self._house.lease_seconds + self._random.uniform(0.3, 1.5)

    async def _start_later(self, bridges: list[Victim], seconds: float) -> None:
        await asyncio.sleep(seconds)
        for bridge in bridges:
            await bridge.start()
            await bridge.listens()
