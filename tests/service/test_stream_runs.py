"""Offers, claims and ends over the stream."""

import pytest

from service.bridge import RunningBridge
from service.streamer import Streamer

T = {"triggerId": "t"}
ALLOW = {"overlapPolicy": "allow", "maxConcurrent": 99}


@pytest.mark.parametrize("form", ["json", "msgpack"])
async def test_an_offer_is_claimed_and_the_run_ends(bridge: RunningBridge, form: str) -> None:
    stream = await bridge.open_stream(form=form)
    await stream.here({**T, "maxRunMinutes": 1})
    await bridge.fire(body={"payload": {"n": 1}, "lockKey": "repo"}, key="mine")
    offer = await stream.next()
    assert {name: offer[name] for name in ("triggerId", "workflowId", "workspaceId")} == {
        "triggerId": "t",
        "workflowId": "t",
        "workspaceId": "default",
    }
    assert (offer["payload"], offer["lockKey"], offer["firingKey"]) == ({"n": 1}, "repo", "mine")
    assert (offer["fencingToken"], offer["mergedFirings"], offer["source"]) == (1, 0, "input")
    run = offer["executionId"]
    claimed = await stream.claim(run)
    assert claimed["confirmed"] is True
    assert claimed["deadline"] > claimed["startedAt"]
    assert (await bridge.execution(run))["state"] == "running"
    assert (await stream.finish(run))["ignored"] is False
    assert (await bridge.execution(run))["state"] == "completed"


async def test_the_firing_key_is_that_of_the_newest_firing(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here({**T, "overlapPolicy": "queue"})
    await bridge.fire(key="first")
    run = (await stream.next())["executionId"]
    await stream.claim(run)
    for key in ("second", "third"):
        await bridge.fire(body={"payload": key}, key=key)
    await stream.finish(run)
    offer = await stream.next()
    assert (offer["firingKey"], offer["payload"]) == ("third", "third")
    assert offer["mergedFirings"] == 1


async def test_of_a_buffered_firing_the_key_is_the_held_ones(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here({**T, "overlapPolicy": "buffer"})
    await bridge.fire(key="first")
    run = (await stream.next())["executionId"]
    await stream.claim(run)
    await bridge.fire(key="held")
    await stream.finish(run)
    await bridge.fire(key="current")
    assert (await stream.next())["firingKey"] == "held"


async def test_offers_come_in_the_order_in_which_they_were_decided(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here({**T, **ALLOW}, {"triggerId": "u", "priority": 1, **ALLOW})
    fired = [(await bridge.fire(name))[0]["executionId"] for name in ("t", "u", "t", "u")]
    assert [(await stream.next())["executionId"] for _ in fired] == fired
    again = await bridge.open_stream()
    await again.here({**T, **ALLOW}, {"triggerId": "u", "priority": 1, **ALLOW})
    assert [(await again.next())["executionId"] for _ in fired] == fired


async def test_a_repeated_claim_of_the_session_is_confirmed_again(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    (decision,) = await bridge.fire()
    await stream.next()
    first = await stream.claim(decision["executionId"])
    again = await bridge.open_stream()  # the same session on a new connection
    second = await again.claim(decision["executionId"])
    assert second["startedAt"] == first["startedAt"]


async def test_any_other_claim_is_refused(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    (decision,) = await bridge.fire()
    run = (await stream.next())["executionId"]
    await bridge.call("POST", f"/v1/executions/{decision['executionId']}/started")
    refused = await stream.claim(run)
    assert (refused["refused"], refused["reason"]) == (True, "notPending")
    unknown = await stream.claim("nobody")
    assert (unknown["refused"], unknown["reason"]) == (True, "unknown")


async def test_a_claim_by_another_client_is_refused(bridge: RunningBridge) -> None:
    mine, other = await bridge.open_stream("mine"), await bridge.open_stream("other")
    await mine.here(T)
    await bridge.fire()
    run = (await mine.next())["executionId"]
    assert (await other.claim(run))["reason"] == "otherClient"
    assert (await other.finish(run, "interrupted"))["reason"] == "otherClient"
    assert (await mine.claim(run))["confirmed"] is True


async def test_a_run_may_end_before_its_claim_is_confirmed(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    await bridge.fire()
    run = (await stream.next())["executionId"]
    claim = await stream.tell("started", executionId=run)
    end = await stream.tell("finished", executionId=run, outcome="failed", error="no disk")
    replies = {frame["re"]: frame for frame in (await stream.next(), await stream.next())}
    assert (replies[claim]["confirmed"], replies[end]["ignored"]) == (True, False)
    assert (await bridge.execution(run))["reason"] == "no disk"


async def test_an_end_of_a_pending_start_implies_the_claim(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    await bridge.fire()
    run = (await stream.next())["executionId"]
    assert (await stream.finish(run, "interrupted"))["ignored"] is False
    assert (await bridge.execution(run))["state"] == "interrupted"


async def test_what_was_not_answered_is_sent_again_before_here(bridge: RunningBridge) -> None:
    """As a client does whose bridge died between its report and the answer."""
    stream = await bridge.open_stream()
    await stream.here({**T, **ALLOW})
    runs = []
    for _ in range(2):
        await bridge.fire()
        runs.append((await stream.next())["executionId"])
    await stream.claim(runs[0])
    await stream.hang_up()
    await bridge.restart()
    again = await bridge.open_stream()
    assert (await again.finish(runs[0]))["ignored"] is False
    assert (await again.claim(runs[1]))["confirmed"] is True
    await again.here({**T, **ALLOW}, runs=(runs[1],))
    states = [(await bridge.execution(run))["state"] for run in runs]
    assert states == ["completed", "running"]


async def test_reports_that_were_answered_already_are_ignored(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    await bridge.fire()
    run = (await stream.next())["executionId"]
    await stream.finish(run)
    again = await stream.finish(run)
    assert (again["ignored"], again["reason"]) == (True, "notActive")


async def test_a_run_that_here_omits_is_interrupted(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    await bridge.fire()
    run = (await stream.next())["executionId"]
    await stream.claim(run)
    await stream.tell("here", triggers=[T], runs=[])
    ended = await stream.next("execution.ended")
    assert (ended["executionId"], ended["outcome"], ended["reason"]) == (
        run,
        "interrupted",
        "restarted",
    )


async def test_runs_that_ended_meanwhile_are_told_before_offers(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    await bridge.fire()
    run = (await stream.next())["executionId"]
    await stream.claim(run)
    await stream.hang_up()
    await bridge.call("POST", f"/v1/executions/{run}/terminate")
    (pending,) = await bridge.fire()
    again = await bridge.open_stream()
    await again.here(T, runs=(run, "lost"))
    ended, lost, offer = [await again.next() for _ in range(3)]
    assert (ended["executionId"], ended["outcome"], ended["halt"]) == (run, "cancelled", True)
    assert (lost["executionId"], lost["triggerId"], lost["reason"]) == ("lost", None, "unknown")
    assert offer["executionId"] == pending["executionId"]


@pytest.mark.parametrize(("verb", "halt"), [("cancel", False), ("terminate", True)])
async def test_an_end_by_somebody_else_is_told(
    bridge: RunningBridge, verb: str, halt: bool
) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    await bridge.fire()
    run = (await stream.next())["executionId"]
    await stream.claim(run)
    await bridge.call("POST", f"/v1/executions/{run}/{verb}")
    ended = await stream.next()
    assert (ended["type"], ended["executionId"], ended["halt"]) == ("execution.ended", run, halt)


async def test_an_end_that_crosses_with_here_is_told_once(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    await bridge.fire()
    run = (await stream.next())["executionId"]
    await stream.claim(run)
    await bridge.call("POST", f"/v1/executions/{run}/cancel")
    await stream.here(T, runs=(run,))
    await bridge.fire()
    await stream.next("execution.start")
    told = [frame for frame in stream.seen if frame["type"] == "execution.ended"]
    assert [frame["executionId"] for frame in told] == [run]


async def test_the_end_of_the_old_run_comes_before_the_offer_of_the_new_one(
    bridge: RunningBridge,
) -> None:
    stream = await bridge.open_stream()
    await stream.here({**T, "overlapPolicy": "terminate"})
    await bridge.fire()
    run = (await stream.next())["executionId"]
    await stream.claim(run)
    await bridge.fire()
    assert [(await stream.next())["type"] for _ in range(2)] == [
        "execution.ended",
        "execution.start",
    ]


async def test_decisions_and_news_are_told(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    await bridge.fire()
    decision = (await stream.next("decision"))["decision"]
    assert (decision["decision"], decision["triggerId"]) == ("started", "t")
    run = decision["executionId"]
    await stream.claim(run)
    news = await stream.next("news")
    while not any(each["state"] == "running" for each in news["executions"]):
        news = await stream.next("news")
    assert [each["executionId"] for each in news["executions"]] == [run]
    assert news["workspace"]["running"] == 1
    await bridge.fire()
    assert (await stream.next("decision"))["decision"]["reason"] == "active"


async def test_news_tell_of_a_pause_and_the_next_run(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here({**T, "schedule": {"kind": "interval", "every": 3600}})
    news = await stream.next("news")
    assert news["triggers"][0]["nextRun"] is not None
    await bridge.call("POST", "/v1/triggers/t/pause")
    while news["triggers"][0]["pausedSince"] is None:
        news = await stream.next("news")
    assert news["triggers"][0]["nextRun"] is None


async def test_news_tell_the_place_of_a_run_on_hold_whenever_it_moves_up(
    bridge: RunningBridge,
) -> None:
    await bridge.call("PUT", "/v1/workspaces/default", {"maxConcurrentExecutions": 1})
    stream = await bridge.open_stream()
    await stream.here({**T, "lockKeys": ["a", "b", "c"]})
    await bridge.fire()
    first = (await stream.next())["executionId"]
    await stream.claim(first)
    assert await _place_of_c(stream) == 2
    await bridge.call("POST", f"/v1/executions/{first}/cancel")
    assert await _place_of_c(stream) == 1


async def _place_of_c(stream: Streamer) -> int:
    while True:
        for execution in (await stream.next("news"))["executions"]:
            if execution["lockKey"] == "c":
                return int(execution["waitsFor"]["position"])


async def test_a_client_that_comes_back_is_told_what_waits(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here({**T, "overlapPolicy": "queue"})
    await bridge.fire()
    run = (await stream.next())["executionId"]
    await stream.claim(run)
    await bridge.fire()
    await _told_of_a_queued_run(stream)
    await stream.away()
    await stream.here({**T, "overlapPolicy": "queue"}, runs=(run,))
    await _told_of_a_queued_run(stream)


async def _told_of_a_queued_run(stream: Streamer) -> None:
    news = await stream.next("news")
    while not any(each["state"] == "queued" for each in news["executions"]):
        news = await stream.next("news")
