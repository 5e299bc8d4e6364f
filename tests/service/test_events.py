"""POST /v1/events over HTTP: what fires, in both forms, once; what is refused, and where (R27)."""

import asyncio
from typing import Any

import pytest

from service.bridge import RunningBridge
from service.caller import JSON, MSGPACK, Called

ISSUE = {"repo": "owner/repo", "number": 123}
BY_ISSUE: dict[str, Any] = {"on": ["issue"], "lockKeyTemplate": "{repo}:issue:{number}"}


async def post(bridge: RunningBridge, payload: Any = None, **how: Any) -> Called:
    return await bridge.call("POST", "/v1/events", {"type": "issue", "payload": payload}, **how)


async def verdicts(bridge: RunningBridge, payload: Any = None, **how: Any) -> list[str]:
    reply = await post(bridge, payload, **how)
    assert reply.status == 200, reply.value
    return [f"{each['triggerId']} {each['decision']}" for each in reply.value["decisions"]]


@pytest.mark.parametrize("media", [JSON, MSGPACK])
async def test_an_event_fires_its_subscribers_for_the_rendered_key(
    bridge: RunningBridge, media: str
) -> None:
    await bridge.set("b", **BY_ISSUE)
    await bridge.set("a", **BY_ISSUE, priority=6)
    await bridge.set("c", on=["push"])
    decisions = (await post(bridge, ISSUE, media=media)).value["decisions"]
    assert [each["triggerId"] for each in decisions] == ["b", "a"]
    assert [each["decision"] for each in decisions] == ["started", "waiting"]
    assert {each["lockKey"] for each in decisions} == {"owner/repo:issue:123"}
    run = await bridge.execution(decisions[0]["executionId"])
    assert (run["source"], run["lockKey"]) == ("event", "owner/repo:issue:123")


async def test_nobody_subscribes(bridge: RunningBridge) -> None:
    await bridge.set(on=["push"])
    assert (await post(bridge)).value == {"decisions": []}
    reply = await bridge.call("POST", "/v1/events", {"type": "issue", "workspaceId": "nowhere"})
    assert (reply.status, reply.value) == (200, {"decisions": []})


async def test_other_workspaces_are_left_alone(bridge: RunningBridge) -> None:
    await bridge.set("here", on=["issue"])
    await bridge.set("there", on=["issue"], workspaceId="other")
    body = {"type": "issue", "workspaceId": "other"}
    (decision,) = (await bridge.call("POST", "/v1/events", body)).value["decisions"]
    assert decision["triggerId"] == "there"
    assert (await bridge.call("GET", "/v1/triggers/here")).value["lastDecision"] is None


async def test_four_events_in_quick_succession_end_in_two_runs(bridge: RunningBridge) -> None:
    await bridge.set(**BY_ISSUE)
    for state in ("opened", "labeled", "edited", "closed"):
        await post(bridge, {**ISSUE, "state": state})
    runs = (await bridge.call("GET", "/v1/executions?triggerId=t")).value["executions"]
    assert [(each["state"], each["mergedFirings"]) for each in runs] == [
        ("queued", 2),
        ("pending", 0),
    ]


async def test_a_burst_from_many_senders_ends_in_one_more_run(bridge: RunningBridge) -> None:
    await bridge.set(**BY_ISSUE)
    said = await asyncio.gather(*(verdicts(bridge, ISSUE) for _ in range(20)))
    flat = sorted(verdict for each in said for verdict in each)
    assert flat == ["t merged"] * 18 + ["t queued", "t started"]


async def test_a_field_that_is_missing_is_said(bridge: RunningBridge) -> None:
    await bridge.set(**BY_ISSUE)
    (decision,) = (await post(bridge, {"repo": "owner/repo"})).value["decisions"]
    assert (decision["decision"], decision["reason"]) == ("skipped", "lockKeyMissing")
    assert decision["message"] == "Skipped: the event lacks a field of the trigger's lock key."


@pytest.mark.parametrize("media", [JSON, MSGPACK])
async def test_a_repeat_with_its_key_gets_the_first_answer(
    bridge: RunningBridge, media: str
) -> None:
    await bridge.set(**BY_ISSUE)
    first = await post(bridge, ISSUE, key="delivery", media=media)
    assert (await post(bridge, ISSUE, key="delivery", media=media)).value == first.value
    other = await post(bridge, {**ISSUE, "number": 124}, key="delivery")
    assert (other.status, other.problem) == (409, "idempotency-key-reused")
    assert len((await bridge.call("GET", "/v1/decisions")).value["decisions"]) == 1


async def test_repeats_at_once_get_one_answer(bridge: RunningBridge) -> None:
    await bridge.set(on=["issue"])
    replies = await asyncio.gather(*(post(bridge, ISSUE, key="delivery") for _ in range(20)))
    assert len({reply.value["decisions"][0]["firingId"] for reply in replies}) == 1


async def test_a_buffer_in_the_payload_comes_out_unharmed(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream(form="msgpack")
    await stream.here({"triggerId": "t", "on": ["issue"], "where": {"required": ["file"]}})
    await post(bridge, {"file": b"\x00\xff"}, media=MSGPACK)
    assert (await stream.next("execution.start"))["payload"] == {"file": b"\x00\xff"}


@pytest.mark.parametrize(
    ("where", "pointer"),
    [
        ({"type": "strin"}, "/where/type"),
        ({"type": ["string", "strin"]}, "/where/type/1"),
        ({"type": 5}, "/where/type"),
        ({"pattern": "(a+)+$"}, "/where/pattern"),
        ({"$ref": "https://example.org/schema"}, "/where/$ref"),
        ({"properties": {"a": {"minimum": "5"}}}, "/where/properties/a/minimum"),
        ({"anyOf": [{}, {"multipleOf": 0}]}, "/where/anyOf/1/multipleOf"),
        ({"required": "repo"}, "/where/required"),
        ({"const": "x" * 20_000}, "/where"),
        ("repo", "/where"),
        (None, "/where"),
    ],
)
async def test_a_bad_condition_is_refused_at_its_place(
    bridge: RunningBridge, where: Any, pointer: str
) -> None:
    body = {"on": ["issue"], "where": where}
    reply = await bridge.call("PUT", "/v1/triggers/t", body)
    assert (reply.status, reply.problem) == (400, "invalid-body")
    assert reply.value["errors"][0]["pointer"] == pointer
    assert (await post(bridge, ISSUE)).value == {"decisions": []}


@pytest.mark.parametrize(
    "body",
    [{}, {"type": ""}, {"type": 5}, {"type": "a", "workspaceId": ""}, {"type": "a", "more": 1}, []],
)
async def test_a_bad_event_is_refused(bridge: RunningBridge, body: Any) -> None:
    assert (await bridge.call("POST", "/v1/events", body)).status == 400


async def test_subscriptions_are_shown_with_the_trigger(bridge: RunningBridge) -> None:
    await bridge.set(**BY_ISSUE, where={"required": ["repo"]})
    shown = (await bridge.call("GET", "/v1/triggers/t")).value["configuration"]
    assert {name: shown[name] for name in ("on", "where", "lockKeyTemplate")} == {
        **BY_ISSUE,
        "where": {"required": ["repo"]},
    }
