"""What is counted, and that only what is durable counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from schedule_bridge.engine import StoreUnavailableError
from schedule_bridge.engine.tally import Spread
from schedule_bridge.store import StoreError

from .rig import EVERY_TEN_SECONDS

if TYPE_CHECKING:
    from .rig import Rig


def test_a_spread_counts_up_to_each_bound() -> None:
    spread = Spread(1, 5)
    for value in (0.5, 1, 2, 5, 6, 100):
        spread.add(value)
    assert (spread.cumulated(), spread.total) == ([2, 4, 6], 114.5)


async def test_missed_ticks_are_counted_by_reason(rig: Rig) -> None:
    await rig.set(schedule=EVERY_TEN_SECONDS)
    await rig.restart(down=75)
    await rig.pass_time(1)
    assert rig.engine.tally.missed_ticks == {"down": 7}
    assert rig.engine.tally.decisions == {("missed", "down"): 1}


async def test_ends_are_counted_by_outcome(rig: Rig) -> None:
    await rig.set(overlapPolicy="cancel")
    for _ in range(3):
        await rig.run()
    await rig.finish(await rig.run())
    assert rig.engine.tally.ends == {"cancelled": 3, "completed": 1}


async def test_what_came_to_nothing_does_not_count(rig: Rig) -> None:
    await rig.set()
    rig.store.fault = StoreError("The disk is full.")
    with pytest.raises(StoreUnavailableError):
        await rig.fire()
    assert rig.engine.tally.decisions == {}
    rig.store.fault = None
    await rig.pass_time(10)
    await rig.fire()
    tally = rig.engine.tally
    assert (tally.decisions, tally.failed_commits) == ({("started", ""): 1}, 1)
