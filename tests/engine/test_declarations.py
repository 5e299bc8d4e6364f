"""R14, R23: what a new declaration of a trigger changes, and what it leaves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from schedule_bridge.core.model import TriggerId
from schedule_bridge.engine import StoreUnavailableError, TriggerUnknownError
from schedule_bridge.schedule import ScheduleError
from schedule_bridge.store import StoreError

from .rig import EVERY_MINUTE

if TYPE_CHECKING:
    from .rig import Rig

ALLOW: dict[str, Any] = {"overlapPolicy": "allow", "maxConcurrent": 9}
T = {"triggerId": "t"}


async def test_the_grid_goes_on_while_the_schedule_stays(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, **ALLOW)
    await rig.pass_time(30)
    await rig.set(schedule=EVERY_MINUTE, **ALLOW, name="new")
    await rig.pass_time(30)
    assert await rig.scheduled() == [60]


async def test_another_period_begins_a_new_grid(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, **ALLOW)
    await rig.pass_time(30)
    await rig.set(schedule={"kind": "interval", "every": 40}, **ALLOW)
    await rig.pass_time(40)
    assert await rig.scheduled() == [70]


async def test_the_anchor_stays_while_the_period_stays(rig: Rig) -> None:
    anchored = {**EVERY_MINUTE, "anchor": "2026-01-01T00:00:10Z"}
    await rig.set(schedule=EVERY_MINUTE, **ALLOW)
    await rig.pass_time(30)
    await rig.set(schedule=anchored, **ALLOW)
    await rig.pass_time(45)
    await rig.set(schedule=EVERY_MINUTE, **ALLOW)
    await rig.pass_time(50)
    assert await rig.scheduled() == [70, 120]


async def test_a_schedule_that_means_nothing_changes_nothing(rig: Rig) -> None:
    await rig.set(schedule=EVERY_MINUTE, **ALLOW)
    with pytest.raises(ScheduleError):
        await rig.set(schedule={"kind": "cron", "expression": "0 0 30 2 *"})
    await rig.pass_time(60)
    assert await rig.scheduled() == [60]


async def test_a_new_declaration_never_resumes_a_paused_trigger(rig: Rig) -> None:
    await rig.set()
    await rig.pause()
    await rig.set(name="new")
    assert await rig.fire() == ["skipped"]
    await rig.set(paused=False)
    assert await rig.fire() == ["started"]


def warnings_of_policies(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage()
        for record in caplog.records
        if record.levelname == "WARNING" and vars(record).get("action") == "unknownPolicy"
    ]


async def test_the_log_warns_of_an_unknown_policy_whoever_declares_it(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    """R11."""
    await rig.set(overlapPolicy="Queue")
    client = await rig.client()
    unknown = {"triggerId": "u", "overlapPolicy": 7}
    await client.here(unknown, {"triggerId": "v", "overlapPolicy": "queue"}, {"triggerId": "w"})
    await client.here(unknown)
    await rig.settle()
    assert warnings_of_policies(caplog) == [
        "The overlap policy of trigger t is unknown and treated as skip.",
        "The overlap policy of trigger u is unknown and treated as skip.",
    ]


async def test_the_log_does_not_warn_of_a_policy_that_was_not_kept(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    """R11."""
    await rig.set()
    rig.store.fault = StoreError("The disk is gone.")
    with pytest.raises(StoreUnavailableError):
        await rig.set(overlapPolicy="Queue")
    assert warnings_of_policies(caplog) == []


async def test_an_unchanged_trigger_of_a_here_writes_no_row(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    rig.store.batches.clear()
    await client.here(T, {"triggerId": "new"})
    await rig.settle()
    assert [list(batch.triggers) for batch in rig.store.batches] == [["new"]]


async def test_a_here_is_one_commit(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T, {"triggerId": "u"})
    await rig.fire()
    await client.claim()
    rig.store.batches.clear()
    await client.here({"triggerId": "v"})
    (batch,) = rig.store.batches
    assert (sorted(batch.triggers), len(batch.executions)) == (["t", "u", "v"], 1)


async def test_the_last_declaration_owns_a_trigger(rig: Rig) -> None:
    first, second = await rig.client("a"), await rig.client("b")
    await first.here(T)
    await second.here(T)
    assert await first.here() == []
    await rig.fire()
    await rig.settle()
    assert (first.offered, second.offered) == ([], ["t"])


async def test_a_removed_trigger_drops_what_it_held(rig: Rig) -> None:
    await rig.set(overlapPolicy="queue")
    run = await rig.run()
    await rig.fire(payload=1)
    await rig.fire(payload=2)
    await rig.engine.remove(TriggerId("t"))
    assert await rig.states() == ["running", "cancelled"]
    assert await rig.verdicts() == ["started", "dropped removed", "dropped removed"]
    await rig.finish(run)
    assert await rig.states() == ["completed", "cancelled"]
    with pytest.raises(TriggerUnknownError):
        await rig.fire()


@pytest.mark.parametrize("policy", ["buffer", "delay"])
async def test_a_removed_triggers_held_firing_is_dropped_for_good(rig: Rig, policy: str) -> None:
    held: dict[str, Any] = (
        {"delaySeconds": 60} if policy == "delay" else {"overlapPolicy": "buffer"}
    )
    await rig.set(**held)
    if policy == "buffer":
        await rig.run()
    await rig.fire()
    await rig.engine.remove(TriggerId("t"))
    await rig.restart()
    await rig.pass_time(120)
    assert (await rig.verdicts())[-1] == "dropped removed"
    snapshot = await rig.store.load()
    assert (snapshot.delayed, snapshot.buffered) == ([], [])


async def test_a_run_whose_trigger_was_removed_keeps_its_deadline(rig: Rig) -> None:
    await rig.set(maxRunMinutes=1)
    await rig.run()
    await rig.engine.remove(TriggerId("t"))
    await rig.restart()
    await rig.pass_time(60)
    assert await rig.states() == ["expired"]


async def test_a_start_whose_trigger_was_removed_keeps_its_run_limit(rig: Rig) -> None:
    await rig.set(maxRunMinutes=1)
    assert await rig.fire() == ["started"]
    await rig.engine.remove(TriggerId("t"))
    await rig.restart()
    (pending,) = (await rig.active()).values()
    await rig.claim(pending)
    await rig.pass_time(60)
    assert await rig.states() == ["expired"]


async def test_an_answer_to_fire_tells_of_its_own_firings_only(rig: Rig) -> None:
    """A firing that cancels a queued execution decides about that one's firing too."""
    await rig.set("t", workflowId="w", overlapPolicy="queue")
    await rig.set("u", workflowId="w", overlapPolicy="cancel")
    await rig.run("t")
    await rig.fire("t")
    assert await rig.fire("u") == ["started"]
    assert await rig.verdicts() == ["started", "dropped cancelled", "started"]


async def test_one_firing_for_each_lock_key(rig: Rig) -> None:
    await rig.set(lockKeys=["b", "a"])
    await rig.run(lock_key="a")
    assert await rig.fire() == ["started", "skipped"]
