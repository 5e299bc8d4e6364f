"""Jobs over HTTP: added, claimed by one worker, finished; who may have one and who no longer."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from schedule_bridge.core.model import State
from schedule_bridge.engine import jobs
from service.bridge import RunningBridge
from service.caller import MSGPACK, Called

Verb = Callable[[RunningBridge, str], Awaitable[Any]]


async def add(bridge: RunningBridge, run: str, body: Any = None, **how: Any) -> Called:
    return await bridge.call("POST", f"/v1/executions/{run}/jobs", body, **how)


async def act(bridge: RunningBridge, run: str, verb: str, job: str = "j", **how: Any) -> Called:
    return await bridge.call("POST", f"/v1/executions/{run}/jobs/{job}/{verb}", **how)


async def end(bridge: RunningBridge, run: str, verb: str) -> None:
    assert (await bridge.call("POST", f"/v1/executions/{run}/{verb}")).status == 200


async def finish(bridge: RunningBridge, run: str, outcome: str) -> None:
    path = f"/v1/executions/{run}/finished"
    assert (await bridge.call("POST", path, {"outcome": outcome})).value == {"ignored": False}


async def a_run_with_a_job(bridge: RunningBridge, job: str = "j") -> str:
    await bridge.set()
    run = await bridge.start_run()
    assert (await add(bridge, run, {"jobId": job})).status == 201
    return run


def refused(reply: Called) -> tuple[int, str, str]:
    return (reply.status, reply.problem, reply.value["detail"])


ENDED = (409, "job-refused", "The job is finished or was cancelled.")
CLAIMED = (409, "job-refused", "Another worker has claimed the job.")
OVER = (409, "job-refused", "The job's execution is over.")
EXISTS = (409, "job-refused", "The execution has a job of that id already.")
NO_JOB = (404, "unknown-job", "The execution has no job of that id.")


async def test_a_job_is_added_claimed_and_finished(bridge: RunningBridge) -> None:
    await bridge.set()
    run = await bridge.start_run()
    added = await add(bridge, run, {"jobId": "j", "name": "resize"})
    job = {"jobId": "j", "executionId": run, "name": "resize", "executionState": "running"}
    assert (added.status, added.value) == (201, job | {"state": "waiting"})
    assert (await act(bridge, run, "claim")).value == job | {"state": "claimed"}
    assert (await act(bridge, run, "finished")).value == job | {"state": "finished"}


async def test_a_job_without_an_id_gets_one(bridge: RunningBridge) -> None:
    await bridge.set()
    run = await bridge.start_run()
    first, second = await add(bridge, run), await add(bridge, run, {}, media=MSGPACK)
    assert first.value["jobId"] != second.value["jobId"]
    claimed = await act(bridge, run, "claim", first.value["jobId"])
    assert claimed.value["state"] == "claimed"


async def test_a_job_can_be_added_to_any_active_execution(bridge: RunningBridge) -> None:
    await bridge.set(overlapPolicy="queue")
    (pending,) = await bridge.fire()
    (queued,) = await bridge.fire()
    for decision, state in ((pending, "pending"), (queued, "queued")):
        reply = await add(bridge, decision["executionId"])
        assert (reply.status, reply.value["executionState"]) == (201, state)


async def test_a_job_cannot_be_added_to_an_execution_that_has_ended(bridge: RunningBridge) -> None:
    run = await a_run_with_a_job(bridge)
    await end(bridge, run, "cancel")
    reply = await add(bridge, run, {"jobId": "late"})
    assert refused(reply) == (409, "not-in-state", "The execution has ended.")


async def test_a_job_id_is_used_once_in_an_execution(bridge: RunningBridge) -> None:
    await bridge.set(overlapPolicy="allow", maxConcurrent=2)
    run, other = await bridge.start_run(), await bridge.start_run()
    assert (await add(bridge, run, {"jobId": "j"})).status == 201
    assert refused(await add(bridge, run, {"jobId": "j", "name": "another"})) == EXISTS
    assert (await add(bridge, other, {"jobId": "j"})).status == 201


@pytest.mark.parametrize("verb", ["claim", "finished"])
async def test_a_job_or_an_execution_that_is_not_known(bridge: RunningBridge, verb: str) -> None:
    run = await a_run_with_a_job(bridge)
    assert refused(await act(bridge, run, verb, "nobody")) == NO_JOB
    reply = await act(bridge, "nobody", verb)
    assert refused(reply) == (404, "unknown-execution", "No execution nobody is known.")
    assert (await add(bridge, "nobody")).status == 404


@pytest.mark.parametrize("body", [{"jobId": ""}, {"jobId": "a\nb"}, {"nam": "x"}, []])
async def test_a_bad_job_is_refused(bridge: RunningBridge, body: Any) -> None:
    run = await a_run_with_a_job(bridge)
    assert (await add(bridge, run, body)).status == 400


async def test_of_fifty_workers_one_gets_the_job(bridge: RunningBridge) -> None:
    run = await a_run_with_a_job(bridge)
    replies = await asyncio.gather(*(act(bridge, run, "claim") for _ in range(50)))
    assert sorted(reply.status for reply in replies) == [200] + [409] * 49
    assert {refused(reply) for reply in replies if reply.status == 409} == {CLAIMED}


async def test_of_fifty_workers_one_gets_the_job_of_a_cancelled_execution(
    bridge: RunningBridge,
) -> None:
    """Its execution is read from the store by each of them, as it is no longer in memory."""
    run = await a_run_with_a_job(bridge)
    await end(bridge, run, "cancel")
    await bridge.restart()
    replies = await asyncio.gather(*(act(bridge, run, "claim") for _ in range(50)))
    assert sorted(reply.status for reply in replies) == [200] + [409] * 49


async def test_a_repeat_with_its_key_gets_the_first_answer(bridge: RunningBridge) -> None:
    run = await a_run_with_a_job(bridge)
    first = await act(bridge, run, "claim", key="worker 1")
    await act(bridge, run, "finished")
    await bridge.restart()
    again = await act(bridge, run, "claim", key="worker 1")
    assert (again.status, again.value) == (200, first.value)
    assert again.value["state"] == "claimed"
    assert refused(await act(bridge, run, "claim", key="worker 2")) == ENDED


async def test_a_repeated_addition_with_its_key_adds_nothing(bridge: RunningBridge) -> None:
    await bridge.set()
    run = await bridge.start_run()
    first, again = await add(bridge, run, key="k"), await add(bridge, run, key="k")
    assert (again.status, again.value) == (201, first.value)
    other = await add(bridge, run, {"name": "another"}, key="k")
    assert (other.status, other.problem) == (409, "idempotency-key-reused")


async def test_a_key_of_another_verb_is_refused(bridge: RunningBridge) -> None:
    run = await a_run_with_a_job(bridge)
    await act(bridge, run, "claim", key="k")
    assert (await act(bridge, run, "finished", key="k")).problem == "idempotency-key-reused"


@pytest.mark.parametrize("verb", ["claim", "finished"])
async def test_a_finished_job_is_not_to_be_had(bridge: RunningBridge, verb: str) -> None:
    run = await a_run_with_a_job(bridge)
    assert (await act(bridge, run, "finished")).value["state"] == "finished"
    assert refused(await act(bridge, run, verb)) == ENDED


@pytest.mark.parametrize("verb", ["claim", "finished"])
@pytest.mark.parametrize("claimed", [False, True])
async def test_from_terminate_on_a_job_is_not_to_be_had(
    bridge: RunningBridge, verb: str, claimed: bool
) -> None:
    run = await a_run_with_a_job(bridge)
    if claimed:
        await act(bridge, run, "claim")
    await end(bridge, run, "terminate")
    assert refused(await act(bridge, run, verb)) == ENDED
    await bridge.restart()
    assert refused(await act(bridge, run, verb)) == ENDED


async def test_claims_race_with_terminate_and_lose_from_it_on(bridge: RunningBridge) -> None:
    await bridge.set()
    run = await bridge.start_run()
    jobs = [f"j{number}" for number in range(40)]
    for job in jobs:
        await add(bridge, run, {"jobId": job})
    claims = [asyncio.create_task(act(bridge, run, "claim", job)) for job in jobs]
    await end(bridge, run, "terminate")
    replies = [await claim for claim in claims]
    for job, reply in zip(jobs, replies, strict=True):
        if reply.status == 200:
            assert reply.value["executionState"] == "running"
        else:
            assert refused(reply) == ENDED
        assert refused(await act(bridge, run, "claim", job)) == ENDED


async def test_after_a_plain_cancel_a_job_is_still_to_be_had(bridge: RunningBridge) -> None:
    run = await a_run_with_a_job(bridge)
    await end(bridge, run, "cancel")
    claimed = (await act(bridge, run, "claim")).value
    assert (claimed["state"], claimed["executionState"]) == ("claimed", "cancelled")
    assert refused(await act(bridge, run, "claim")) == CLAIMED
    finished = (await act(bridge, run, "finished")).value
    assert (finished["state"], finished["executionState"]) == ("finished", "cancelled")


@pytest.mark.parametrize("outcome", ["completed", "failed", "interrupted"])
async def test_a_job_of_an_execution_that_ended_otherwise_is_not_to_be_claimed(
    bridge: RunningBridge, outcome: str
) -> None:
    run = await a_run_with_a_job(bridge)
    await finish(bridge, run, outcome)
    assert refused(await act(bridge, run, "claim")) == OVER
    await bridge.restart()
    assert refused(await act(bridge, run, "claim")) == OVER


async def test_a_worker_may_finish_what_it_had_before_the_execution_ended(
    bridge: RunningBridge,
) -> None:
    run = await a_run_with_a_job(bridge)
    await act(bridge, run, "claim")
    await finish(bridge, run, "completed")
    finished = (await act(bridge, run, "finished")).value
    assert (finished["state"], finished["executionState"]) == ("finished", "completed")


async def test_an_execution_that_says_itself_cancelled_leaves_its_jobs(
    bridge: RunningBridge,
) -> None:
    run = await a_run_with_a_job(bridge)
    await finish(bridge, run, "cancelled")
    assert (await act(bridge, run, "claim")).value["executionState"] == "cancelled"


async def test_the_policy_terminate_takes_the_jobs_cancel_leaves_them(
    bridge: RunningBridge,
) -> None:
    for policy, expected in (("terminate", 409), ("cancel", 200)):
        await bridge.set(policy, overlapPolicy=policy)
        run = await bridge.start_run(policy)
        await add(bridge, run, {"jobId": "j"})
        (decision,) = await bridge.fire(policy)
        assert decision["decision"] == "started"
        assert (await act(bridge, run, "claim")).status == expected
        assert (await bridge.execution(run))["state"] == State.CANCELLED


async def test_jobs_survive_a_restart(bridge: RunningBridge) -> None:
    run = await a_run_with_a_job(bridge)
    await add(bridge, run, {"jobId": "k"})
    await act(bridge, run, "claim")
    await bridge.restart()
    assert refused(await act(bridge, run, "claim")) == CLAIMED
    assert (await act(bridge, run, "finished")).value["state"] == "finished"
    assert (await act(bridge, run, "claim", "k")).value["state"] == "claimed"
    assert refused(await add(bridge, run, {"jobId": "j"})) == EXISTS


async def test_jobs_of_an_ended_execution_survive_a_restart(bridge: RunningBridge) -> None:
    run = await a_run_with_a_job(bridge)
    await end(bridge, run, "cancel")
    await bridge.restart()
    claimed = (await act(bridge, run, "claim")).value
    assert (claimed["state"], claimed["executionState"]) == ("claimed", "cancelled")
    await bridge.restart()
    assert refused(await act(bridge, run, "claim")) == CLAIMED
    assert (await act(bridge, run, "finished")).value["state"] == "finished"


async def test_an_execution_has_so_many_jobs_at_most(
    bridge: RunningBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "JOBS_AT_MOST", 2)
    run = await a_run_with_a_job(bridge, "j")
    assert (await add(bridge, run, {"jobId": "k"})).status == 201
    full = (409, "job-refused", "The execution has as many jobs as it can have.")
    assert refused(await add(bridge, run, {"jobId": "l"})) == full
    assert (await act(bridge, run, "finished")).status == 200
    assert refused(await add(bridge, run)) == full
