"""Triggers over HTTP: declared, looked at, listed, paused, removed."""

import asyncio
from typing import Any
from urllib.parse import quote

import pytest

from service.bridge import RunningBridge
from service.caller import JSON, MSGPACK

EVERY_HOUR = {"kind": "interval", "every": 3600, "anchor": "2026-01-01T00:00:00Z"}
FULL = {
    "triggerId": "t",
    "workflowId": "w",
    "workspaceId": "default",
    "clientId": "c",
    "name": "classify images",
    "schedule": EVERY_HOUR,
    "overlapPolicy": "allow",
    "maxConcurrent": 2,
    "maxRunMinutes": 5,
    "priority": 3,
    "lockKeys": ["a", "b"],
    "lockKey": None,
    "delaySeconds": 1.5,
    "payload": {"n": 1},
    "catchUp": "latest",
    "catchUpWindowSeconds": 60,
    "on": ["pushed"],
    "where": {"properties": {"n": {"type": "integer"}}},
    "lockKeyTemplate": "{repo}",
    "paused": False,
}


@pytest.mark.parametrize("media", [JSON, MSGPACK])
async def test_a_trigger_is_created_then_replaced(bridge: RunningBridge, media: str) -> None:
    first = await bridge.call("PUT", "/v1/triggers/t", FULL, media=media)
    second = await bridge.call("PUT", "/v1/triggers/t", FULL, media=media)
    assert (first.status, second.status) == (201, 200)
    assert first.value == {**second.value, "nextRun": first.value["nextRun"]}
    assert first.value["configuration"] == FULL


async def test_only_the_id_is_needed_and_the_path_names_it(bridge: RunningBridge) -> None:
    state = await bridge.set()
    assert state["configuration"] == {"triggerId": "t"}
    assert state["nextRun"] is None
    assert (state["active"], state["paused"], state["detached"]) == ([], False, False)


async def test_the_body_must_not_name_another_trigger(bridge: RunningBridge) -> None:
    reply = await bridge.call("PUT", "/v1/triggers/t", {"triggerId": "u"})
    assert (reply.status, reply.problem) == (400, "invalid-body")
    assert reply.value["errors"][0]["pointer"] == "/triggerId"


@pytest.mark.parametrize(
    ("schedule", "pointer"),
    [
        ({"kind": "cron", "expression": "0 0 30 2 *"}, "/schedule/expression"),
        ({"kind": "cron", "expression": "61 * * * *"}, "/schedule/expression"),
        (
            {"kind": "cron", "expression": "* * * * *", "timezone": "Mars/Olympus"},
            "/schedule/timezone",
        ),
        ({"kind": "interval", "every": 0}, "/schedule/every"),
        ({"kind": "sometimes"}, "/schedule/kind"),
    ],
)
async def test_a_schedule_that_means_nothing_is_refused_with_its_place(
    bridge: RunningBridge, schedule: dict[str, object], pointer: str
) -> None:
    reply = await bridge.call("PUT", "/v1/triggers/t", {"schedule": schedule})
    assert (reply.status, reply.problem) == (400, "invalid-body")
    assert reply.value["errors"][0]["pointer"] == pointer
    assert (await bridge.call("GET", "/v1/triggers/t")).status == 404


@pytest.mark.parametrize("policy", ["SKIP", "parallel", 7, True, [], {"a": 1}])
async def test_an_unknown_policy_is_a_warning_never_an_error(
    bridge: RunningBridge, policy: object
) -> None:
    state = await bridge.set(overlapPolicy=policy)
    assert state["warnings"] == ["unknownPolicy"]
    assert [each["decision"] for each in await bridge.fire() + await bridge.fire()] == [
        "started",
        "skipped",
    ]


@pytest.mark.parametrize("config", [{}, {"overlapPolicy": None}, {"overlapPolicy": "skip"}])
async def test_skip_is_the_default_without_a_warning(
    bridge: RunningBridge, config: dict[str, Any]
) -> None:
    assert (await bridge.set(**config))["warnings"] == []


async def test_the_state_of_a_trigger(bridge: RunningBridge) -> None:
    await bridge.set(overlapPolicy="queue", schedule=EVERY_HOUR)
    run = await bridge.start_run()
    (queued,) = await bridge.fire()
    await bridge.fire()
    state = (await bridge.call("GET", "/v1/triggers/t")).value
    assert state["active"] == [run, queued["executionId"]]
    assert state["queued"] == [queued["executionId"]]
    assert state["counters"] == {"started": 1, "queued": 1, "merged": 1}
    assert state["lastDecision"]["decision"] == "merged"
    assert state["nextRun"].endswith(":00:00.000Z")


async def test_its_latest_runs_and_how_often_it_has_skipped_are_shown(
    bridge: RunningBridge,
) -> None:
    await bridge.set()
    first = await bridge.start_run()
    await bridge.call("POST", f"/v1/executions/{first}/finished", {"outcome": "failed"})
    second = await bridge.start_run()
    await bridge.fire()
    await bridge.fire()
    (state,) = (await bridge.call("GET", "/v1/triggers")).value["triggers"]
    assert [(run["executionId"], run["outcome"]) for run in state["recentRuns"]] == [
        (first, "failed")
    ]
    skipping = state["skipping"]
    assert (skipping["count"], skipping["executionId"], skipping["lockKey"]) == (2, second, None)
    assert (await bridge.call("GET", "/v1/triggers/t")).value["skipping"] == skipping


async def test_held_firings_are_shown(bridge: RunningBridge) -> None:
    await bridge.set("slow", delaySeconds=3600)
    await bridge.set("full", overlapPolicy="buffer")
    await bridge.start_run("full")
    (delayed,) = await bridge.fire("slow", {"lockKey": "k"})
    (buffered,) = await bridge.fire("full")
    slow = (await bridge.call("GET", "/v1/triggers/slow")).value["delayed"]
    full = (await bridge.call("GET", "/v1/triggers/full")).value["buffered"]
    assert [(each["firingId"], each["lockKey"]) for each in slow] == [(delayed["firingId"], "k")]
    assert [(each["firingId"], each["readyAt"]) for each in full] == [(buffered["firingId"], None)]


async def test_triggers_are_listed_page_by_page(bridge: RunningBridge) -> None:
    for name in "edcba":
        await bridge.set(name, workspaceId="x" if name == "e" else "default")
    assert await bridge.in_pages("triggers", "triggerId") == list("abcde")
    of_x = (await bridge.call("GET", "/v1/triggers?workspaceId=x")).value
    assert [each["triggerId"] for each in of_x["triggers"]] == ["e"]


async def test_a_list_is_made_while_triggers_go(bridge: RunningBridge) -> None:
    for number in range(20):
        await bridge.set(f"t{number}")
    asked = [bridge.call("GET", "/v1/triggers")]
    asked += [bridge.call("DELETE", f"/v1/triggers/t{number}") for number in range(20)]
    replies = await asyncio.gather(*asked)
    assert {reply.status for reply in replies} == {200, 204}


async def test_a_pause_lasts_until_somebody_resumes(bridge: RunningBridge) -> None:
    await bridge.set(schedule=EVERY_HOUR)
    paused = (await bridge.call("POST", "/v1/triggers/t/pause")).value
    again = (await bridge.call("POST", "/v1/triggers/t/pause")).value
    assert (paused["paused"], paused["nextRun"]) == (True, None)
    assert again["pausedSince"] == paused["pausedSince"]
    assert (await bridge.set(schedule=EVERY_HOUR, name="deployed"))["paused"] is True
    await bridge.restart()
    ((decision),) = await bridge.fire()
    assert (decision["decision"], decision["reason"]) == ("skipped", "paused")
    resumed = (await bridge.call("POST", "/v1/triggers/t/resume")).value
    assert (resumed["paused"], resumed["pausedSince"]) == (False, None)


async def test_a_removed_trigger_is_gone(bridge: RunningBridge) -> None:
    await bridge.set()
    reply = await bridge.call("DELETE", "/v1/triggers/t")
    assert (reply.status, reply.value) == (204, None)
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/fire"), ("POST", "/pause")):
        gone = await bridge.call(method, f"/v1/triggers/t{path}")
        assert (gone.status, gone.problem) == (404, "unknown-trigger")


@pytest.mark.parametrize("name", ["a b", "ä/ö", "100%", "x" * 256, "a#b?c"])
async def test_any_name_will_do(bridge: RunningBridge, name: str) -> None:

    reply = await bridge.call("PUT", f"/v1/triggers/{quote(name, safe='')}", {})
    assert (reply.status, reply.value["triggerId"]) == (201, name)
