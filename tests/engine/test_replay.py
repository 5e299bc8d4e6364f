"""A past that an engine has decided, played again: as it ran, and under other settings."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from schedule_bridge.core.model import State
from schedule_bridge.simulate import Past, Replay, replay
from schedule_bridge.store import ExecutionQuery

from .rig import EVERY_TEN_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedule_bridge.core.model import Execution

    from .rig import Rig


async def past_of(rig: Rig) -> Past:
    decisions = await rig.decisions()
    executions = await rig.store.executions(ExecutionQuery(limit=1000))
    return Past(decisions, executions, rig.engine.now())


async def replayed(rig: Rig, **changes: Any) -> Replay:
    house = await rig.house()
    (config,) = (each.config for each in house.memory.registrations.values())
    return replay(config, changes, await past_of(rig))


def numbers(totals: Any) -> dict[str, int]:
    return {name: number for name, number in asdict(totals).items() if number}


def printed(played: Replay) -> list[str]:
    return [f"{each['at']} {each['event'].partition('.')[2]}" for each in played.events]


async def live(
    rig: Rig, seconds: int, run_takes: float, end: Callable[[Execution], State] | None = None
) -> None:
    """Lets the trigger tick; whatever starts is claimed, and ends by itself after so long."""
    ends: dict[Execution, float] = {}
    for now in range(seconds * 2):
        await rig.pass_time(0.5)
        for execution in list((await rig.active()).values()):
            if execution.state is State.PENDING:
                await rig.claim(execution)
                ends[execution] = now / 2 + run_takes
            elif ends.get(execution, now) <= now / 2:
                await rig.finish(execution, end(execution) if end else State.COMPLETED)


POLICIES: list[dict[str, Any]] = [
    {"overlapPolicy": "skip"},
    {"overlapPolicy": "queue"},
    {"overlapPolicy": "allow", "maxConcurrent": 2},
    {"overlapPolicy": "buffer"},
    {"overlapPolicy": "queue", "delaySeconds": 15},
]


@pytest.mark.parametrize("policy", POLICIES, ids=str)
async def test_under_its_own_settings_the_past_comes_out_as_it_was(
    rig: Rig, policy: dict[str, Any]
) -> None:
    await rig.set(schedule=EVERY_TEN_SECONDS, maxRunMinutes=60, **policy)
    await live(rig, 75, 23)
    played = await replayed(rig)
    assert numbers(played.replayed) == numbers(played.as_it_ran)
    assert played.as_it_ran.firings == 7


async def test_a_skipped_firing_takes_the_median_when_it_may_run(rig: Rig) -> None:
    await rig.set(schedule=EVERY_TEN_SECONDS, maxRunMinutes=60)
    await live(rig, 44, 12.5)
    played = await replayed(rig, overlapPolicy="allow", maxConcurrent=9)
    assert numbers(played.as_it_ran) == {
        "firings": 4,
        "runs": 2,
        "skipped": 2,
        "completed": 2,
    }
    assert numbers(played.replayed) == {"firings": 4, "runs": 4, "completed": 3, "running": 1}
    assert printed(played) == [
        "0 started",
        "10 started",
        "12.5 completed",
        "20 started",
        "22.5 completed",
        "30 started",
        "32.5 completed",
    ]


async def test_another_limit_of_run_time_is_tried(rig: Rig) -> None:
    await rig.set(schedule={"kind": "interval", "every": 100}, maxRunMinutes=5)
    await live(rig, 210, 90)
    played = await replayed(rig, maxRunMinutes=1)
    assert (played.as_it_ran.completed, played.replayed.expired) == (1, 1)
    assert printed(played)[:2] == ["0 started", "60 expired"]


async def test_what_expired_expires_later_where_the_limit_is_longer(rig: Rig) -> None:
    await rig.set(schedule={"kind": "interval", "every": 30}, maxRunMinutes=1)
    await live(rig, 220, 1000)
    same, longer = await replayed(rig), await replayed(rig, maxRunMinutes=2)
    assert same.as_it_ran.expired == same.replayed.expired == 3
    without_skips = [line for line in printed(longer) if "skipped" not in line]
    assert without_skips == ["0 started", "120 expired", "120 started"]


async def test_what_was_cancelled_takes_the_median_or_what_it_took(rig: Rig) -> None:
    await rig.set(overlapPolicy="cancel")
    whole = await rig.run()
    await rig.pass_time(20)
    await rig.finish(whole)
    await rig.run()
    await rig.pass_time(5)
    await rig.run()
    await rig.pass_time(30)
    await rig.run()
    await rig.pass_time(20)
    played = await replayed(rig, overlapPolicy="allow", maxConcurrent=9)
    ends = [at for at in printed(played) if "completed" in at]
    assert ends == ["20 completed", "40 completed", "55 completed", "75 completed"]


async def test_a_run_keeps_the_way_it_ended_by_itself(rig: Rig) -> None:
    await rig.set(overlapPolicy="skip")
    for outcome in (State.FAILED, State.CANCELLED, State.COMPLETED):
        run = await rig.run()
        await rig.pass_time(2)
        await rig.finish(run, outcome)
    played = await replayed(rig)
    one_each = {"failed": 1, "cancelled": 1, "completed": 1}
    assert numbers(played.replayed) == {"firings": 3, "runs": 3, **one_each}


async def test_what_a_pause_skipped_is_skipped_again(rig: Rig) -> None:
    await rig.set()
    await rig.pause()
    await rig.fire()
    await rig.set(paused=False, on=["e"], lockKeyTemplate="{k}")
    played = await replayed(rig, overlapPolicy="allow")
    assert numbers(played.replayed) == {"firings": 1, "skipped": 1}
    (event,) = played.events
    assert event == {"at": 0, "event": "firing.skipped", "triggerId": "t", "reason": "paused"}


async def test_each_lock_key_is_a_scope_of_its_own(rig: Rig) -> None:
    await rig.set(lockKeys=["a", "b"])
    for _ in range(2):
        await rig.fire()
    played = await replayed(rig, overlapPolicy="queue")
    assert numbers(played.as_it_ran)["skipped"] == 2
    assert printed(played) == ["0 started", "0 started", "0 queued", "0 queued"]


async def test_what_is_dropped_takes_along_what_had_joined_it(rig: Rig) -> None:
    """The queue is emptied by an operator; in the replay nobody does, so its run starts."""
    await rig.set(overlapPolicy="queue")
    run = await rig.run()
    for _ in range(3):
        await rig.pass_time(1)
        await rig.fire()
    (queued,) = (each for each in (await rig.active()).values() if each.state is State.QUEUED)
    await rig.command("cancel", queued.execution_id)
    await rig.pass_time(1)
    await rig.finish(run)
    await rig.pass_time(60)
    played = await replayed(rig)
    assert numbers(played.as_it_ran) == {"firings": 4, "runs": 1, "dropped": 3, "completed": 1}
    assert numbers(played.replayed) == {"firings": 4, "runs": 2, "merged": 2, "completed": 2}


async def test_without_any_run_nobody_knows_how_long_one_takes(rig: Rig) -> None:
    await rig.set()
    await rig.fire()
    await rig.pass_time(61)
    past = await past_of(rig)
    assert past.median() is None
    played = await replayed(rig)
    assert numbers(played.as_it_ran) == {"firings": 1, "runs": 1, "interrupted": 1}
    assert numbers(played.replayed) == {"firings": 1, "runs": 1, "completed": 1}


async def test_no_firing_no_replay(rig: Rig) -> None:
    await rig.set()
    played = await replayed(rig, overlapPolicy="cancel")
    assert (played.events, numbers(played.as_it_ran), numbers(played.replayed)) == ([], {}, {})


async def test_the_time_of_a_firing_is_kept_when_its_decision_becomes_final(rig: Rig) -> None:
    await rig.set(overlapPolicy="queue")
    run = await rig.run()
    await rig.pass_time(7)
    await rig.fire()
    await rig.pass_time(20)
    await rig.finish(run)
    await rig.settle()
    _, final = await rig.decisions()
    assert (final.verdict, rig.seconds(final.fired_at)) == ("started", 7)
    assert rig.seconds(final.decided_at) == 27
