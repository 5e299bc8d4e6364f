"""A trigger that keeps skipping shows it: how often, since when, behind which run (faults.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.model import TriggerId

from .rig import EVERY_MINUTE

if TYPE_CHECKING:
    from schedule_bridge.store import SkipStreak

    from .rig import Rig


async def streak(rig: Rig, trigger_id: str = "t") -> SkipStreak | None:
    return (await rig.house()).memory.skips.longest(TriggerId(trigger_id))


async def told(rig: Rig) -> tuple[str, int, float] | None:
    """Behind which run, how often, since which second."""
    found = await streak(rig)
    return None if found is None else (found.execution_id, found.count, rig.seconds(found.since))


async def test_ticks_that_are_skipped_behind_a_run_are_counted(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, maxRunMinutes=100)
    run = await rig.run()
    assert await told(rig) is None
    await rig.pass_time(190)
    assert await told(rig) == (run.execution_id, 3, 60)


async def test_the_count_ends_with_the_run(rig: Rig) -> None:
    await rig.set()
    run = await rig.run()
    await rig.fire()
    await rig.finish(run)
    assert await told(rig) is None


async def test_the_count_is_the_same_after_a_restart(rig: Rig) -> None:
    await rig.set(maxRunMinutes=100)
    run = await rig.run()
    await rig.pass_time(5)
    await rig.fire()
    await rig.fire()
    await rig.restart()
    assert await told(rig) == (run.execution_id, 2, 5)
    await rig.fire()
    assert await told(rig) == (run.execution_id, 3, 5)


async def test_a_firing_that_starts_ends_the_count_though_the_run_goes_on(rig: Rig) -> None:
    await rig.set(overlapPolicy="allow", maxConcurrent=2)
    old = await rig.run()
    young = await rig.run()
    assert await rig.fire() == ["skipped"]
    assert await told(rig) == (old.execution_id, 1, 0)
    await rig.finish(young)
    await rig.run()
    assert await told(rig) is None
    await rig.restart()
    assert await told(rig) is None


async def test_of_several_lock_keys_the_most_skipped_is_told(rig: Rig) -> None:
    await rig.set()
    await rig.run(lock_key="a")
    stuck = await rig.run(lock_key="b")
    await rig.fire(lock_key="a")
    await rig.fire(lock_key="b")
    await rig.fire(lock_key="b")
    found = await streak(rig)
    assert found is not None
    assert (found.lock_key, found.count, found.execution_id) == ("b", 2, stuck.execution_id)


async def test_a_skip_for_another_reason_counts_for_nothing(rig: Rig) -> None:
    await rig.set()
    await rig.run()
    await rig.pause()
    assert await rig.fire() == ["skipped"]
    assert await told(rig) is None
