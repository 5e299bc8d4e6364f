"""Clients come and go: offers, claims, detached triggers (R1, R17), clients that are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from schedule_bridge.core.model import ExecutionId, WorkspaceId
from schedule_bridge.core.refusal import Refusal, Refused

from .rig import EVERY_MINUTE

if TYPE_CHECKING:
    from .rig import Rig

T = {"triggerId": "t"}
ALLOW: dict[str, Any] = {"overlapPolicy": "allow", "maxConcurrent": 9}
HOUR = 3600


async def test_starts_are_offered_in_the_order_in_which_they_were_decided(rig: Rig) -> None:
    client = await rig.client()
    await client.here({"triggerId": "b", "priority": 1}, {"triggerId": "a"})
    for name in ("b", "a"):
        await rig.fire(name)
    await client.away()
    client.offers.clear()
    await client.here({"triggerId": "b", "priority": 1}, {"triggerId": "a"})
    await rig.settle()
    assert client.offered == ["b", "a"]


async def test_only_a_client_that_is_here_is_offered_anything(rig: Rig) -> None:
    client = await rig.client()
    await rig.set(clientId="c", **ALLOW)
    await rig.fire()
    assert client.offers == []
    await client.here({**T, **ALLOW})
    await client.away()
    await rig.fire()
    await rig.settle()
    assert client.offered == ["t"]


async def test_a_repeated_claim_of_the_same_session_is_confirmed(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    first = await client.claim()
    started = first.started_at
    await rig.pass_time(5)
    assert (await client.claim()).started_at == started


async def test_any_other_claim_is_refused(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    run = await client.claim()
    with pytest.raises(Refused) as refused:
        await rig.claim(run)
    assert refused.value.refusal is Refusal.NOT_PENDING
    await client.finish(run)
    with pytest.raises(Refused):
        await client.claim()


async def test_a_claim_of_nothing(rig: Rig) -> None:
    client = await rig.client()
    with pytest.raises(Refused):
        rig.engine.claim(ExecutionId("nobody"), client)


async def test_a_start_that_is_not_claimed_is_interrupted_after_60_seconds(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    await rig.pass_time(59)
    assert await rig.states() == ["pending"]
    await rig.pass_time(1)
    assert client.told[-1] == "ended t interrupted unclaimed"


async def test_the_60_seconds_begin_anew_with_every_offer(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    await rig.pass_time(50)
    await client.away()
    await rig.pass_time(100)
    await client.here(T)
    await rig.pass_time(59)
    assert await rig.states() == ["pending"]
    await rig.pass_time(1)
    assert await rig.states() == ["interrupted"]


async def test_a_reconnect_ends_the_wait_until_the_client_is_here_again(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    await rig.pass_time(50)
    await rig.client()  # the same session on a new connection, which has not said `here`
    await rig.pass_time(100)
    assert await rig.states() == ["pending"]


async def test_a_start_without_a_client_waits_60_seconds_too(rig: Rig) -> None:
    await rig.set()
    await rig.fire()
    await rig.pass_time(60)
    assert await rig.ends() == ["interrupted unclaimed"]


async def test_an_offer_that_moved_to_another_client_is_that_ones_alone(rig: Rig) -> None:
    first, second = await rig.client("a"), await rig.client("b")
    await first.here(T)
    await rig.fire()
    await second.here(T)
    await rig.settle()
    assert second.offered == ["t"]
    with pytest.raises(Refused) as refused:
        await first.claim()
    assert refused.value.refusal is Refusal.OTHER_CLIENT
    assert await first.finish(first.offers[0]) == "otherClient"
    assert (await second.claim()).state == "running"


async def test_an_offer_that_moved_to_a_client_that_is_away_does_not_time_out(rig: Rig) -> None:
    first = await rig.client("a")
    await first.here(T)
    await rig.fire()
    await rig.set(clientId="b")
    await rig.pass_time(100)
    assert await rig.states() == ["pending"]


async def test_a_run_that_is_not_named_any_more_is_interrupted(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T, {"triggerId": "u"})
    await rig.fire("t")
    kept = await client.claim()
    await rig.fire("u")
    await client.claim()
    await client.here(T, {"triggerId": "u"}, runs=[kept.execution_id])
    assert await rig.ends() == ["interrupted restarted"]
    assert await rig.states() == ["running", "interrupted"]


async def test_runs_that_ended_meanwhile_are_told_before_anything_is_offered(rig: Rig) -> None:
    client = await rig.client()
    await client.here({**T, "maxRunMinutes": 1})
    await rig.fire()
    run = await client.claim()
    await client.disconnect()
    await rig.pass_time(60)
    await rig.fire()
    again = await rig.client()
    await again.here({**T, "maxRunMinutes": 1}, runs=[run.execution_id, ExecutionId("lost")])
    await rig.settle()
    assert again.told == ["ended t expired deadline", "ended unknown lost", "offer t"]


async def test_another_session_interrupts_what_the_earlier_one_had_claimed(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    await client.claim()
    await rig.client(session="s2")
    assert await rig.ends() == ["interrupted restarted"]


async def test_the_same_session_on_a_new_connection_goes_on(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    run = await client.claim()
    again = await rig.client()
    await again.here(T, runs=[run.execution_id])
    await client.disconnect()  # the old connection's end comes late, and means nothing
    await rig.pass_time(2 * HOUR)
    assert await rig.states() == ["running"]


async def test_a_replaced_connection_has_no_say(rig: Rig) -> None:
    old = await rig.client()
    new = await rig.client()
    assert await old.here(T) is None
    await rig.set(clientId="c")
    await rig.fire()
    await rig.settle()
    assert (old.offers, new.offers) == ([], [])


async def test_a_trigger_that_is_not_declared_any_more_is_detached(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T, {"triggerId": "u"})
    assert await client.here({"triggerId": "u"}) == ["t"]
    assert await rig.fire("t") == ["skipped"]
    assert await rig.verdicts() == ["skipped detached"]


async def test_what_a_detached_trigger_had_waiting_ends_after_60_seconds(rig: Rig) -> None:
    client = await rig.client()
    queue = {**T, "overlapPolicy": "queue", "maxRunMinutes": 60}
    await client.here(queue)
    await rig.fire()
    run = await client.claim()
    await rig.fire()
    await client.here(runs=[run.execution_id])
    await rig.pass_time(59)
    assert await rig.states() == ["running", "queued"]
    await rig.pass_time(1)
    assert await rig.states() == ["running", "interrupted"]
    assert await rig.verdicts() == ["started", "dropped detached"]


async def test_a_trigger_that_comes_back_in_time_loses_nothing(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    await client.here()
    await rig.pass_time(30)
    await client.here(T)
    await rig.pass_time(31)
    assert await rig.states() == ["pending"]


async def test_the_60_seconds_count_over_a_restart(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    await client.here()
    await rig.restart(down=30)
    await rig.pass_time(29)
    assert await rig.states() == ["pending"]
    await rig.pass_time(1)
    assert await rig.states() == ["interrupted"]


async def test_the_ticks_of_a_detached_trigger_are_one_stretch_never_caught_up(rig: Rig) -> None:
    client = await rig.client()
    every = {**T, "schedule": EVERY_MINUTE, "catchUp": "all"}
    await client.here(every)
    await client.here()
    await rig.pass_time(300)
    await rig.restart(down=300)
    again = await rig.client()
    await again.here(every)
    await rig.settle()
    assert await rig.missed() == [(60, 600, 10, "detached")]
    assert await rig.scheduled() == []
    await rig.pass_time(60)
    assert await rig.scheduled() == [660]


async def test_a_detached_trigger_is_deleted_after_30_days(rig: Rig) -> None:
    client = await rig.client()
    await client.here({**T, "delaySeconds": 1})
    await client.here()
    await rig.restart(down=30 * 24 * HOUR - 10)
    assert len((await rig.house()).memory.registrations) == 1
    await rig.pass_time(10)
    assert len((await rig.house()).memory.registrations) == 0
    await rig.restart()
    assert len((await rig.house()).memory.registrations) == 0


async def test_a_client_that_is_not_here_for_an_hour_is_gone(rig: Rig) -> None:
    client = await rig.client()
    await client.here({**T, "maxRunMinutes": 600})
    await rig.fire()
    await client.claim()
    await client.disconnect()
    await rig.pass_time(HOUR - 1)
    assert await rig.states() == ["running"]
    await rig.pass_time(1)
    assert await rig.ends() == ["interrupted gone"]
    assert await rig.fire() == ["skipped"]
    assert await rig.verdicts() == ["started", "skipped detached"]


async def test_the_hour_counts_from_the_bridges_start(rig: Rig) -> None:
    client = await rig.client()
    await client.here({**T, "maxRunMinutes": 6000})
    await rig.fire()
    await client.claim()
    await client.disconnect()
    await rig.restart(down=5 * HOUR)
    await rig.pass_time(HOUR - 1)
    assert await rig.states() == ["running"]
    await rig.pass_time(1)
    assert await rig.states() == ["interrupted"]


async def test_a_client_away_for_an_hour_but_connected_is_offered_starts_again(rig: Rig) -> None:
    """Its flows were stopped, or it was in safe mode; the connection stayed."""
    client = await rig.client()
    await client.here(T)
    await client.away()
    await rig.pass_time(2 * HOUR)
    await client.here(T)
    await rig.fire()
    await rig.settle()
    assert client.offered == ["t"]


async def test_a_client_that_connects_and_never_says_here_is_gone_too(rig: Rig) -> None:
    client = await rig.client()
    await client.here({**T, "maxRunMinutes": 600})
    await rig.fire()
    await client.claim()
    await rig.client()
    await rig.pass_time(HOUR)
    assert await rig.states() == ["interrupted"]


async def test_an_own_report_is_not_told_back(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    run = await client.claim()
    client.told.clear()
    await client.finish(run)
    await rig.settle()
    assert client.told == []


async def test_an_own_report_is_not_told_back_on_the_sessions_next_connection(rig: Rig) -> None:
    """What the old connection had said may be heard after the new one was made."""
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    run = await client.claim()
    again = await rig.client()
    await client.finish(run)
    await rig.settle()
    assert again.told == []


async def test_an_end_by_somebody_else_is_told(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.fire()
    run = await client.claim()
    client.told.clear()
    await rig.command("terminate", run.execution_id)
    await rig.settle()
    assert client.told == ["ended t cancelled cancelled"]


async def test_news_come_twice_a_second_at_most(rig: Rig) -> None:
    client = await rig.client()
    await client.here(T)
    await rig.pass_time(1)
    client.changed.clear()
    await rig.fire()
    run = await client.claim()
    assert client.changed == []
    await rig.pass_time(0.5)
    assert client.changed == [run.execution_id]


async def test_what_others_do_to_the_workspace_is_news_too(rig: Rig) -> None:
    """How much of it is in use, and its limit; not what happens in another workspace."""
    await rig.set("u")
    await rig.set("elsewhere", workspaceId="other")
    client = await rig.client()
    await client.here(T)
    await rig.pass_time(1)
    heard = client.news_heard
    await rig.fire("elsewhere")
    await rig.pass_time(1)
    assert client.news_heard == heard
    await rig.fire("u")
    await rig.pass_time(1)
    assert client.news_heard == heard + 1
    await rig.engine.set_workspace(WorkspaceId("default"), 3)
    await rig.pass_time(1)
    assert client.news_heard == heard + 2
