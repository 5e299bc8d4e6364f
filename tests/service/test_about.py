"""The service about itself, workspaces, previews, simulations."""

import pytest

from schedule_bridge.api.routes import schedules
from schedule_bridge.simulate import TakesTooLong, play, read_scenario, simulate
from schedule_bridge.simulate.patience import Patience
from schedule_bridge.store.sqlite_schema import LATEST
from service.bridge import RunningBridge
from service.caller import JSON, MSGPACK


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_health_needs_no_token(bridge: RunningBridge, path: str) -> None:
    bridge.authorized = {}
    reply = await bridge.call("GET", path)
    assert (reply.status, reply.value) == (200, {"status": "ok"})


@pytest.mark.parametrize("media", [JSON, MSGPACK])
async def test_the_bridge_tells_about_itself(bridge: RunningBridge, media: str) -> None:
    await bridge.set()
    await bridge.start_run()
    stream = await bridge.open_stream()
    await stream.here()
    info = (await bridge.call("GET", "/v1/info", media=media)).value
    assert (info["version"], info["protocol"]) == ("1.2.3", 1)
    assert info["store"] == {"kind": "sqlite", "schemaVersion": LATEST}
    assert info["counts"] == {"triggers": 1, "running": 1, "clientsHere": 1}
    assert info["clock"]["aheadSeconds"] < 1
    assert info["startedAt"] <= info["clock"]["now"]


async def test_a_workspace_shows_what_counts_and_what_waits(bridge: RunningBridge) -> None:
    path = "/v1/workspaces/default"
    put = await bridge.call("PUT", path, {"maxConcurrentExecutions": 2})
    assert put.value["maxConcurrentExecutions"] == 2
    await bridge.set("a", overlapPolicy="queue")
    await bridge.set("b")
    await bridge.set("c")
    await bridge.start_run("a")
    for name in ("a", "b", "c"):
        await bridge.fire(name)
    await bridge.restart()
    assert (await bridge.call("GET", path)).value == {
        "workspaceId": "default",
        "maxConcurrentExecutions": 2,
        "running": 1,
        "starting": 1,
        "onHold": 1,
        "queued": 1,
    }


async def test_a_workspace_that_nobody_has_spoken_of_is_empty(bridge: RunningBridge) -> None:
    assert (await bridge.call("GET", "/v1/workspaces/new")).value["maxConcurrentExecutions"] == 0


async def test_raising_a_limit_lets_holds_go_on(bridge: RunningBridge) -> None:
    await bridge.call("PUT", "/v1/workspaces/default", {"maxConcurrentExecutions": 1})
    await bridge.set("a")
    await bridge.set("b")
    await bridge.start_run("a")
    (held,) = await bridge.fire("b")
    assert held["message"] == "On hold: workspace default runs 1 of 1."
    await bridge.call("PUT", "/v1/workspaces/default", {"maxConcurrentExecutions": 0})
    assert (await bridge.execution(held["executionId"]))["state"] == "pending"


@pytest.mark.parametrize("media", [JSON, MSGPACK])
async def test_a_preview_marks_clock_changes(bridge: RunningBridge, media: str) -> None:
    body = {
        "schedule": {"kind": "cron", "expression": "30 2 * * *", "timezone": "Europe/Berlin"},
        "from": "2026-03-28T00:00:00Z",
        "count": 3,
    }
    reply = await bridge.call("POST", "/v1/schedules/preview", body, media=media)
    assert [each["at"] for each in reply.value["ticks"]] == [
        "2026-03-28T01:30:00.000Z",
        "2026-03-29T01:00:00.000Z",
        "2026-03-30T00:30:00.000Z",
    ]
    assert [each["clockChange"] for each in reply.value["ticks"]] == [False, True, False]
    assert reply.value["description"]


async def test_a_preview_of_nothing_says_where(bridge: RunningBridge) -> None:
    body = {"schedule": {"kind": "cron", "expression": "0 0 30 2 *"}}
    reply = await bridge.call("POST", "/v1/schedules/preview", body)
    assert reply.status == 400
    assert reply.value["errors"][0]["pointer"] == "/schedule/expression"


async def test_a_simulation_runs_the_same_rules(bridge: RunningBridge) -> None:
    every = {"kind": "interval", "every": 600}
    body = {
        "until": 1200,
        "triggers": [{"triggerId": "t1", "overlapPolicy": "skip", "schedule": every}],
        "runs": {"t1": {"durationSeconds": 700}},
    }
    reply = await bridge.call("POST", "/v1/simulate", body)
    events = [(each["at"], each["event"]) for each in reply.value]
    assert events == [(600, "execution.started"), (1200, "firing.skipped")]


async def test_a_simulation_without_end_is_refused(bridge: RunningBridge) -> None:
    every = {"kind": "interval", "every": 1}
    body = {"until": 100_000, "triggers": [{"triggerId": "t", "schedule": every}]}
    reply = await bridge.call("POST", "/v1/simulate", body)
    assert (reply.status, reply.problem) == (400, "too-many-events")
    assert (await bridge.everything())["/v1/triggers"]["triggers"] == []


@pytest.mark.parametrize("policy", ["allow", "queue"])
async def test_a_simulation_that_prints_a_large_payload_again_and_again_is_refused(
    bridge: RunningBridge, policy: str
) -> None:
    trigger = {"triggerId": "t", "overlapPolicy": policy, "maxConcurrent": 100}
    trigger |= {"schedule": {"kind": "interval", "every": 1}, "payload": {"text": "x" * 200_000}}
    runs = {"t": {"durationSeconds": 1.5}}
    body = {"until": 20, "triggers": [trigger], "runs": runs}
    assert (await bridge.call("POST", "/v1/simulate", body)).status == 200
    reply = await bridge.call("POST", "/v1/simulate", {**body, "until": 10_000})
    assert (reply.status, reply.problem) == (400, "prints-too-much")


SLOW = {"triggers": [{"triggerId": "t"}], "steps": [{"at": 1, "do": "fire", "triggerId": "t"}]}


async def test_a_simulation_that_takes_too_long_is_given_up(
    bridge: RunningBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedules, "MAX_SECONDS", -1)
    reply = await bridge.call("POST", "/v1/simulate", SLOW)
    assert (reply.status, reply.problem) == (400, "takes-too-long")


def test_patience_is_looked_at_while_a_scenario_is_read_and_while_it_is_played() -> None:
    for scenario in (SLOW, {**SLOW, "triggers": []}, {**SLOW, "steps": [], "until": 1}):
        with pytest.raises(TakesTooLong):
            simulate(scenario, max_seconds=-1)
    with pytest.raises(TakesTooLong):
        play(read_scenario(SLOW), patience=Patience(-1))


async def test_a_bad_scenario_says_where(bridge: RunningBridge) -> None:
    body = {"triggers": [{"triggerId": "t"}], "steps": [{"at": 1, "do": "dance"}]}
    reply = await bridge.call("POST", "/v1/simulate", body)
    assert reply.status == 400
    assert reply.value["errors"][0]["pointer"].startswith("/steps/0")


@pytest.mark.parametrize("to", ["bridge-2:8765", "file:///etc/passwd", "http://b/admin?x=1"])
async def test_a_workspace_is_handed_to_an_address_alone(bridge: RunningBridge, to: str) -> None:
    reply = await bridge.call("POST", "/v1/workspaces/default/hand-over", {"to": to})
    assert (reply.status, reply.value["errors"][0]["pointer"]) == (400, "/to")


async def test_the_workspaces_of_a_store_of_one_bridge_stay_with_it(bridge: RunningBridge) -> None:
    reply = await bridge.call("POST", "/v1/workspaces/default/hand-over")
    assert reply.status == 409
    assert reply.value["type"] == "urn:schedule-bridge:problem:not-handed-over"
