"""POST /v1/triggers/{triggerId}/fire, and the Idempotency-Key of whatever decides."""

import asyncio
from typing import Any

import pytest

from service.bridge import RunningBridge
from service.caller import JSON, MSGPACK

ALLOW: dict[str, Any] = {"overlapPolicy": "allow", "maxConcurrent": 100}


@pytest.mark.parametrize("media", [JSON, MSGPACK])
async def test_a_decision_says_what_came_of_it_and_why(bridge: RunningBridge, media: str) -> None:
    await bridge.set()
    started = (await bridge.call("POST", "/v1/triggers/t/fire", {}, media=media)).value
    skipped = (await bridge.call("POST", "/v1/triggers/t/fire", {}, media=media)).value
    run = started["decisions"][0]["executionId"]
    (decision,) = skipped["decisions"]
    assert (decision["decision"], decision["reason"]) == ("skipped", "active")
    assert decision["activeExecutions"] == [run]
    assert decision["message"] == f"Skipped: run {run[:4]} of this workflow is about to start."


async def test_a_body_is_not_needed(bridge: RunningBridge) -> None:
    await bridge.set()
    reply = await bridge.call("POST", "/v1/triggers/t/fire")
    assert [each["decision"] for each in reply.value["decisions"]] == ["started"]


async def test_one_decision_a_lock_key_in_listed_order(bridge: RunningBridge) -> None:
    await bridge.set(lockKeys=["b", "a"])
    assert [each["lockKey"] for each in await bridge.fire()] == ["b", "a"]
    assert [each["lockKey"] for each in await bridge.fire(body={"lockKey": "c"})] == ["c"]


@pytest.mark.parametrize(("body", "source"), [({}, "input"), ({"source": "manual"}, "manual")])
async def test_the_source_is_kept(bridge: RunningBridge, body: dict[str, str], source: str) -> None:
    await bridge.set()
    (decision,) = await bridge.fire(body=body)
    assert (await bridge.execution(decision["executionId"]))["source"] == source


async def test_priority_and_payload_of_a_firing_go_before_the_triggers(
    bridge: RunningBridge,
) -> None:
    stream = await bridge.open_stream()
    await stream.here({"triggerId": "t", "payload": {"of": "trigger"}, "priority": 9, **ALLOW})
    await bridge.fire(body={"payload": {"of": "firing"}, "priority": 2})
    first = await stream.next("execution.start")
    await bridge.fire()
    second = await stream.next("execution.start")
    assert [first["payload"], second["payload"]] == [{"of": "firing"}, {"of": "trigger"}]
    assert (await bridge.execution(first["executionId"]))["priority"] == 2
    assert (await bridge.execution(second["executionId"]))["priority"] == 9


async def test_a_whole_number_is_one_however_it_is_written(bridge: RunningBridge) -> None:
    await bridge.set(**ALLOW)
    (decision,) = await bridge.fire(body={"priority": 2.0})
    assert str((await bridge.execution(decision["executionId"]))["priority"]) == "2"


async def test_the_same_key_gets_the_same_answer(bridge: RunningBridge) -> None:
    await bridge.set(**ALLOW)
    first = await bridge.call("POST", "/v1/triggers/t/fire", {"payload": 1}, key="k")
    second = await bridge.call("POST", "/v1/triggers/t/fire", {"payload": 1}, key="k")
    await bridge.restart()
    third = await bridge.call("POST", "/v1/triggers/t/fire", {"payload": 1}, key="k")
    assert first.value == second.value == third.value
    assert len((await bridge.everything())["/v1/executions"]["executions"]) == 1


async def test_a_key_gets_its_answer_after_the_trigger_was_removed(bridge: RunningBridge) -> None:
    """Whoever lost the answer must not take a firing that was decided for one that was not."""
    await bridge.set(**ALLOW)
    first = await bridge.call("POST", "/v1/triggers/t/fire", {"payload": 1}, key="k")
    await bridge.call("DELETE", "/v1/triggers/t")
    again = await bridge.call("POST", "/v1/triggers/t/fire", {"payload": 1}, key="k")
    assert (again.status, again.value) == (200, first.value)
    for body, key in (({"payload": 2}, "k"), ({"payload": 1}, "other"), ({"payload": 1}, None)):
        reply = await bridge.call("POST", "/v1/triggers/t/fire", body, key=key)
        assert (reply.status, reply.problem) == (404, "unknown-trigger")


@pytest.mark.parametrize("removed", [False, True])
async def test_a_key_gets_its_answer_after_the_trigger_has_moved(
    bridge: RunningBridge,
    removed: bool,
) -> None:
    """A deploy may come between a request and its repeat; the workspace is not in the request."""
    await bridge.set(**ALLOW)
    first = await bridge.call("POST", "/v1/triggers/t/fire", {"payload": 1}, key="k")
    if removed:
        await bridge.call("DELETE", "/v1/triggers/t")
    await bridge.set(workspaceId="other", **ALLOW)
    again = await bridge.call("POST", "/v1/triggers/t/fire", {"payload": 1}, key="k")
    assert (again.status, again.value) == (200, first.value)
    assert len((await bridge.everything())["/v1/executions"]["executions"]) == 1


async def test_a_key_with_another_body_or_path_is_refused(bridge: RunningBridge) -> None:
    await bridge.set(**ALLOW)
    await bridge.set("u", **ALLOW)
    await bridge.fire(body={"payload": 1}, key="k")
    before = await bridge.everything()
    for path, body in (("t", {"payload": 2}), ("t", {}), ("u", {"payload": 1})):
        reply = await bridge.call("POST", f"/v1/triggers/{path}/fire", body, key="k")
        assert (reply.status, reply.problem) == (409, "idempotency-key-reused")
    assert await bridge.everything() == before


async def test_one_key_sent_many_times_at_once_decides_once(bridge: RunningBridge) -> None:
    await bridge.set(**ALLOW)
    asked = (bridge.call("POST", "/v1/triggers/t/fire", {}, key="k") for _ in range(20))
    replies = await asyncio.gather(*asked)
    assert len({str(reply.value) for reply in replies}) == 1
    assert len((await bridge.everything())["/v1/executions"]["executions"]) == 1


async def test_a_key_is_the_workspaces_own(bridge: RunningBridge) -> None:
    await bridge.set("t", **ALLOW)
    await bridge.set("u", workspaceId="other", **ALLOW)
    assert await bridge.fire("t", key="k") != await bridge.fire("u", key="k")


@pytest.mark.parametrize("key", ["", "a\tb", "k" * 1025])
async def test_a_key_that_cannot_be_kept_is_refused(bridge: RunningBridge, key: str) -> None:
    await bridge.set()
    reply = await bridge.call("POST", "/v1/triggers/t/fire", {}, key=key)
    assert (reply.status, reply.problem) == (400, "bad-request")


async def test_a_repeated_pause_does_not_pause_again(bridge: RunningBridge) -> None:
    await bridge.set()
    first = await bridge.call("POST", "/v1/triggers/t/pause", key="k")
    await bridge.call("POST", "/v1/triggers/t/resume")
    second = await bridge.call("POST", "/v1/triggers/t/pause", key="k")
    assert first.value == second.value
    assert (await bridge.call("GET", "/v1/triggers/t")).value["paused"] is False


@pytest.mark.parametrize("verb", ["started", "cancel", "terminate"])
async def test_a_repeated_command_gets_the_first_answer(bridge: RunningBridge, verb: str) -> None:
    await bridge.set()
    (decision,) = await bridge.fire()
    path = f"/v1/executions/{decision['executionId']}/{verb}"
    first = await bridge.call("POST", path, key="k")
    second = await bridge.call("POST", path, key="k")
    other = await bridge.call("POST", path, key="another")
    assert (first.status, second.status, other.status) == (200, 200, 409)
    assert first.value == second.value


async def test_a_repeated_end_gets_the_first_answer(bridge: RunningBridge) -> None:
    await bridge.set()
    run = await bridge.start_run()
    path, body = f"/v1/executions/{run}/finished", {"outcome": "completed"}
    first = await bridge.call("POST", path, body, key="k")
    second = await bridge.call("POST", path, body, key="k")
    third = await bridge.call("POST", path, body)
    assert first.value == second.value == {"ignored": False}
    assert third.value == {"ignored": True, "reason": "notActive"}
