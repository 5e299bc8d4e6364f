"""POST /v1/triggers/{triggerId}/replay: a trigger's past under other settings."""

from typing import Any

import pytest

from service.bridge import RunningBridge
from service.caller import JSON, MSGPACK, Called

PATH = "/v1/triggers/t/replay"


async def replay(bridge: RunningBridge, body: Any = None, **how: Any) -> Called:
    return await bridge.call("POST", PATH, body, **how)


async def finish(bridge: RunningBridge, run: str) -> None:
    path = f"/v1/executions/{run}/finished"
    await bridge.call("POST", path, {"outcome": "completed"})


@pytest.mark.parametrize("media", [JSON, MSGPACK])
async def test_both_are_counted_and_what_would_have_happened_is_listed(
    bridge: RunningBridge, media: str
) -> None:
    await bridge.set()
    run = await bridge.start_run()
    for _ in range(3):
        await bridge.fire()
    await finish(bridge, run)
    body = {"overlapPolicy": "queue", "maxConcurrent": 2, "maxRunMinutes": 5}
    answer = (await replay(bridge, body, media=media)).value
    none = dict.fromkeys(
        ("waiting", "running", "dropped", "failed", "cancelled", "expired", "interrupted"), 0
    )
    ran = {"firings": 4, "runs": 1, "skipped": 3, "merged": 0, "completed": 1}
    assert answer["asItRan"] == none | ran
    assert (answer["replayed"]["firings"], answer["replayed"]["skipped"]) == (4, 0)
    assert answer["events"][0] == {
        "at": 0,
        "event": "execution.started",
        "triggerId": "t",
        "executionId": "t#1",
        "payload": None,
    }
    assert answer["medianRunSeconds"] > 0
    assert answer["from"] <= answer["to"]


async def test_without_a_body_the_past_is_played_as_it_was(bridge: RunningBridge) -> None:
    await bridge.set(lockKeys=["a", "b"])
    for _ in range(2):
        await bridge.fire()
    for decision in (await bridge.call("GET", "/v1/decisions")).value["decisions"]:
        if decision["decision"] == "started":
            await finish(bridge, decision["executionId"])
    answer = (await replay(bridge)).value
    assert answer["asItRan"]["firings"] == answer["replayed"]["firings"] == 4


async def test_a_trigger_that_has_never_fired(bridge: RunningBridge) -> None:
    await bridge.set()
    answer = (await replay(bridge, {})).value
    assert (answer["from"], answer["to"], answer["medianRunSeconds"]) == (None, None, None)
    assert answer["events"] == []


async def test_the_latest_five_hundred_firings_count(bridge: RunningBridge) -> None:
    await bridge.set(lockKeys=[f"k{number}" for number in range(300)])
    for _ in range(2):
        await bridge.fire()
    answer = (await replay(bridge)).value
    assert (answer["asItRan"]["firings"], answer["asItRan"]["runs"]) == (500, 200)
    assert (answer["asItRan"]["skipped"], answer["replayed"]["firings"]) == (300, 500)


async def test_a_policy_that_is_not_known_is_played_as_skip(bridge: RunningBridge) -> None:
    await bridge.set(overlapPolicy="allow", maxConcurrent=5)
    for _ in range(2):
        await bridge.fire()
    answer = (await replay(bridge, {"overlapPolicy": ["no policy"]})).value
    assert (answer["asItRan"]["runs"], answer["replayed"]["firings"]) == (2, 2)


async def test_a_replay_changes_nothing(bridge: RunningBridge) -> None:
    await bridge.set()
    await bridge.fire()
    before = await bridge.everything()
    await replay(bridge, {"overlapPolicy": "terminate"})
    assert await bridge.everything() == before


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"maxConcurrent": 0}, "/maxConcurrent"),
        ({"maxRunMinutes": -1}, "/maxRunMinutes"),
        ({"maxRunMinutes": 1.5}, "/maxRunMinutes"),
        ({"priority": 1}, "/priority"),
        ([], ""),
    ],
)
async def test_a_bad_setting_is_refused_at_its_place(
    bridge: RunningBridge, body: Any, pointer: str
) -> None:
    await bridge.set()
    reply = await replay(bridge, body)
    assert (reply.status, reply.problem) == (400, "invalid-body")
    assert reply.value["errors"][0]["pointer"] == pointer


async def test_a_trigger_that_is_not_known(bridge: RunningBridge) -> None:
    reply = await replay(bridge)
    assert (reply.status, reply.problem) == (404, "unknown-trigger")
