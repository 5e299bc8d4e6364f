"""Executions over HTTP: looked at, claimed, ended, commanded."""

from typing import Any

import pytest

from schedule_bridge.core.model import Execution
from schedule_bridge.store import ExecutionQuery
from service.bridge import RunningBridge
from service.caller import JSON, MSGPACK

QUEUE = {"overlapPolicy": "queue"}


async def verb(bridge: RunningBridge, run: str, name: str) -> Any:
    reply = await bridge.call("POST", f"/v1/executions/{run}/{name}")
    assert reply.status == 200, reply.value
    return reply.value


@pytest.mark.parametrize("media", [JSON, MSGPACK])
async def test_a_start_is_found_claimed_and_finished_by_an_api_client(
    bridge: RunningBridge, media: str
) -> None:
    await bridge.set(maxRunMinutes=1)
    await bridge.fire()
    pending = await bridge.call("GET", "/v1/executions?state=pending", media=media)
    (found,) = pending.value["executions"]
    path = f"/v1/executions/{found['executionId']}"
    claimed = await bridge.call("POST", f"{path}/started", media=media)
    assert (claimed.status, claimed.value["confirmed"]) == (200, True)
    assert claimed.value["deadline"] > claimed.value["startedAt"]
    body = {"outcome": "failed", "error": "no disk"}
    ended = await bridge.call("POST", f"{path}/finished", body, media=media)
    assert ended.value == {"ignored": False}
    run = await bridge.call("GET", path, media=media)
    assert (run.value["state"], run.value["reason"]) == ("failed", "no disk")


async def test_an_error_in_many_words_is_kept_whole(bridge: RunningBridge) -> None:
    await bridge.set()
    run = await bridge.start_run()
    error = "x" * 8192
    await bridge.call(
        "POST", f"/v1/executions/{run}/finished", {"outcome": "failed", "error": error}
    )
    assert (await bridge.execution(run))["reason"] == error


async def test_a_second_claim_is_refused(bridge: RunningBridge) -> None:
    await bridge.set()
    run = await bridge.start_run()
    reply = await bridge.call("POST", f"/v1/executions/{run}/started")
    assert (reply.status, reply.problem) == (409, "not-in-state")


@pytest.mark.parametrize("outcome", ["completed", "failed", "cancelled", "interrupted"])
async def test_an_end_implies_the_claim(bridge: RunningBridge, outcome: str) -> None:
    await bridge.set()
    (decision,) = await bridge.fire()
    path = f"/v1/executions/{decision['executionId']}"
    reply = await bridge.call("POST", f"{path}/finished", {"outcome": outcome})
    assert reply.value == {"ignored": False}
    run = (await bridge.call("GET", path)).value
    assert run["state"] == outcome
    assert run["startedAt"] is not None


async def test_an_end_may_say_when_it_was(bridge: RunningBridge) -> None:
    """Within the run, that is: never before its claim, never in the future."""
    await bridge.set()
    ends = []
    for ended_at in ("2001-01-01T00:00:00Z", "2999-01-01T00:00:00+02:00"):
        run = await bridge.start_run()
        body = {"outcome": "completed", "endedAt": ended_at}
        await bridge.call("POST", f"/v1/executions/{run}/finished", body)
        ends.append(await bridge.execution(run))
    assert ends[0]["endedAt"] == ends[0]["startedAt"]
    assert ends[1]["startedAt"] <= ends[1]["endedAt"] < "2999"


@pytest.mark.parametrize("run", ["nobody", "x" * 300])
async def test_an_end_of_nothing_is_ignored_and_everything_else_is_404(
    bridge: RunningBridge, run: str
) -> None:
    path = f"/v1/executions/{run}"
    ended = await bridge.call("POST", f"{path}/finished", {"outcome": "completed"})
    assert (ended.status, ended.value) == (200, {"ignored": True, "reason": "notActive"})
    for method, rest in (("GET", ""), *(("POST", f"/{name}") for name in VERBS)):
        reply = await bridge.call(method, path + rest)
        assert (reply.status, reply.problem) == (404, "unknown-execution")


VERBS = ("started", "pause", "resume", "cancel", "terminate")


async def test_the_first_end_wins(bridge: RunningBridge) -> None:
    await bridge.set()
    run = await bridge.start_run()
    await verb(bridge, run, "cancel")
    late = await bridge.call("POST", f"/v1/executions/{run}/finished", {"outcome": "completed"})
    assert late.value == {"ignored": True, "reason": "notActive"}
    assert (await bridge.execution(run))["state"] == "cancelled"


async def test_an_end_of_what_has_not_started_is_ignored(bridge: RunningBridge) -> None:
    await bridge.set(**QUEUE)
    await bridge.start_run()
    (queued,) = await bridge.fire()
    path = f"/v1/executions/{queued['executionId']}/finished"
    reply = await bridge.call("POST", path, {"outcome": "completed"})
    assert reply.value == {"ignored": True, "reason": "notStarted"}


async def test_a_pause_stops_the_deadline(bridge: RunningBridge) -> None:
    await bridge.set(maxRunMinutes=1)
    run = await bridge.start_run()
    assert (await verb(bridge, run, "pause"))["state"] == "paused"
    resumed = await verb(bridge, run, "resume")
    assert resumed["state"] == "running"
    again = await bridge.call("POST", f"/v1/executions/{run}/resume")
    assert (again.status, again.value["detail"]) == (409, "The execution is not paused.")


@pytest.mark.parametrize("name", ["cancel", "terminate"])
async def test_a_cancelled_run_gives_way_to_the_queued_one(
    bridge: RunningBridge, name: str
) -> None:
    await bridge.set(**QUEUE)
    run = await bridge.start_run()
    (queued,) = await bridge.fire()
    cancelled = await verb(bridge, run, name)
    assert (cancelled["state"], cancelled["reason"]) == ("cancelled", "cancelled")
    assert (await bridge.execution(queued["executionId"]))["state"] == "pending"
    again = await bridge.call("POST", f"/v1/executions/{run}/{name}")
    assert (again.status, again.value["detail"]) == (409, "The execution has ended.")


async def test_what_an_execution_waits_for(bridge: RunningBridge) -> None:
    await bridge.call("PUT", "/v1/workspaces/default", {"maxConcurrentExecutions": 2})
    await bridge.set("a", **QUEUE)
    await bridge.set("b", lockKey="repo")
    await bridge.set("c", lockKey="repo")
    await bridge.set("d")
    first, holder = await bridge.start_run("a"), await bridge.start_run("b")
    waits = {}
    for name in ("a", "c", "d"):
        (decision,) = await bridge.fire(name)
        waits[name] = (await bridge.execution(decision["executionId"]))["waitsFor"]
    nobody = {"lockKey": None, "position": 1}
    assert waits["a"] == {**nobody, "gate": "overlap", "executionIds": [first]}
    assert waits["d"] == {**nobody, "gate": "capacity", "executionIds": []}
    assert waits["c"] == {
        "gate": "lock",
        "position": 1,
        "lockKey": "repo",
        "executionIds": [holder],
    }


async def test_executions_are_listed_newest_first_page_by_page(bridge: RunningBridge) -> None:
    await bridge.set(overlapPolicy="allow", maxConcurrent=99)
    fired = [(await bridge.fire())[0]["executionId"] for _ in range(5)]
    assert await bridge.in_pages("executions", "executionId") == fired[::-1]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("triggerId=t", ["t"]),
        ("workflowId=w", ["u"]),
        ("workspaceId=x", ["v"]),
        ("state=running", ["t"]),
        ("state=pending&workspaceId=default", ["u"]),
        ("triggerId=nobody", []),
    ],
)
async def test_executions_are_filtered(bridge: RunningBridge, query: str, found: list[str]) -> None:
    await bridge.set("t")
    await bridge.set("u", workflowId="w")
    await bridge.set("v", workspaceId="x")
    await bridge.start_run("t")
    await bridge.fire("u")
    await bridge.fire("v")
    page = (await bridge.call("GET", f"/v1/executions?{query}")).value
    assert [each["triggerId"] for each in page["executions"]] == found


async def test_a_page_shows_one_moment(
    bridge: RunningBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that starts while the page is made is shown as it was when its forerunner ran."""
    await bridge.set(**QUEUE)
    run = await bridge.start_run()
    await bridge.fire()
    read = bridge.engine.executions

    async def read_and_go_on(query: ExecutionQuery) -> list[Execution]:
        found = await read(query)
        path = f"/v1/executions/{run}/finished"
        await bridge.call("POST", path, {"outcome": "completed"})
        return found

    monkeypatch.setattr(bridge.engine, "executions", read_and_go_on)
    page = (await bridge.call("GET", "/v1/executions")).value["executions"]
    assert [each["state"] for each in page] == ["queued", "running"]
    assert page[0]["waitsFor"] is None
