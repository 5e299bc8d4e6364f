"""The upgrade that docs/scaling.md describes: one bridge after the other is stopped and started."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING

from crash.cast import LASTING

if TYPE_CHECKING:
    from crash.several_bridges import SeveralBridges
    from crash.stage import Stage
    from crash.victim import Victim

WHO = "patient"
_ATTEMPTS = 10
_PAUSE_SECONDS = 0.5
_READY_WITHIN_SECONDS = 20


class RollingUpgrade:
    """`refused` names the requests that came to nothing, though they were made again and again.

    They are firings, in every workspace one after the other, `asked` in all.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.refused: list[str] = []
        self._over = asyncio.Event()

    async def happen(self, house: SeveralBridges, stage: Stage) -> None:
        """Each bridge in its turn, and the next one when it is ready."""
        asking = [asyncio.create_task(self._keep_asking(stage, each)) for each in LASTING.values()]
        for bridge in house.bridges:
            await house.stop_in_order(bridge)
            await bridge.start()
            await bridge.listens()
            await _is_ready(stage, bridge)
        self._over.set()
        await asyncio.gather(*asking)

    async def _keep_asking(self, stage: Stage, trigger_id: str) -> None:
        while not self._over.is_set():
            self.asked += 1
            key = stage.new_key(WHO)
            if not await _succeeds(stage, f"/v1/triggers/{trigger_id}/fire", key):
                self.refused.append(key)
            await asyncio.sleep(0)


async def _succeeds(stage: Stage, path: str, key: str) -> bool:
    """Asks any bridge, again after a pause if it is not answered or refused for now."""
    for _ in range(_ATTEMPTS):
        if (await stage.call(WHO, "POST", path, {}, key=key)).done:
            return True
        await asyncio.sleep(_PAUSE_SECONDS)
    return False


async def _is_ready(stage: Stage, bridge: Victim) -> None:
    async with asyncio.timeout(_READY_WITHIN_SECONDS):
        while True:
            async with stage.session.get(f"{bridge.base}/readyz") as response:
                if response.status == HTTPStatus.OK:
                    return
            await asyncio.sleep(0.1)
