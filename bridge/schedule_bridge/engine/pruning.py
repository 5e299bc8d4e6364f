"""History is bounded: what is too old goes, in small steps, so that no decision waits for long."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from schedule_bridge.engine.clock import Clock, sleep
from schedule_bridge.store import PruneLimits, StoreError

if TYPE_CHECKING:
    from schedule_bridge.core.model import Instant
    from schedule_bridge.engine.keeper import Keeper
    from schedule_bridge.engine.settings import Settings
    from schedule_bridge.store import Store

log = logging.getLogger("schedule_bridge.engine")


async def keep_pruning(store: Store, keeper: Keeper, settings: Settings, clock: Clock) -> None:
    """Prunes from time to time, until it is cancelled."""
    while True:
        await sleep(clock, settings.prune_every)
        limits = limits_of(settings, keeper.now())
        keeper.forget_answers(limits.keys_before)
        try:
            while await store.prune(limits):
                pass
        except StoreError as error:
            log.warning("Pruning failed: %s", error, extra={"action": "prune"})


def limits_of(settings: Settings, now: Instant) -> PruneLimits:
    """What history is kept by the settings of the service."""
    return PruneLimits(
        before=now - settings.history_kept,
        keep=settings.history_rows,
        keys_before=now - settings.keys_kept,
    )
