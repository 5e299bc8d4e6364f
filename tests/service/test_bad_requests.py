"""Bad input of every kind: its documented status, a sentence, never a 5xx; nothing changes."""

from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from schedule_bridge.api.limits import Limits
from service.bridge import RunningBridge, running_bridge

T = "/v1/triggers/t"
PUT_T = ("PUT", T)
ROUTES_WITH_A_BODY = [
    PUT_T,
    ("POST", f"{T}/fire"),
    ("POST", "/v1/executions/x/finished"),
    ("PUT", "/v1/workspaces/default"),
    ("POST", "/v1/schedules/preview"),
    ("POST", "/v1/simulate"),
]
OTHER_ROUTES = [
    ("GET", T),
    ("GET", "/v1/triggers"),
    ("DELETE", T),
    ("POST", f"{T}/pause"),
    ("POST", f"{T}/resume"),
    ("GET", "/v1/executions"),
    ("GET", "/v1/executions/x"),
    ("POST", "/v1/executions/x/started"),
    ("POST", "/v1/executions/x/pause"),
    ("POST", "/v1/executions/x/resume"),
    ("POST", "/v1/executions/x/cancel"),
    ("POST", "/v1/executions/x/terminate"),
    ("GET", "/v1/workspaces/default"),
    ("GET", "/v1/decisions"),
    ("GET", "/v1/info"),
    ("GET", "/openapi.json"),
    ("GET", "/v1/stream?clientId=c&sessionId=s"),
]
ALL_ROUTES = ROUTES_WITH_A_BODY + OTHER_ROUTES


@pytest.fixture
async def bridge(tmp_path: Path) -> AsyncIterator[RunningBridge]:
    """One with a trigger, a run, a queued one; the same at the end as in the beginning."""
    async with running_bridge(tmp_path, Limits(body_bytes=4096)) as it:
        await it.set(overlapPolicy="queue")
        await it.start_run()
        await it.fire()
        before = await it.everything()
        yield it
        assert await it.everything() == before


VIOLATIONS: list[tuple[str, str, Any, str]] = [
    (*PUT_T, {"triggerId": ""}, "/triggerId"),
    (*PUT_T, {"triggerId": "x" * 257}, "/triggerId"),
    (*PUT_T, {"triggerId": "a\u0007"}, "/triggerId"),
    (*PUT_T, {"workflowId": 7}, "/workflowId"),
    (*PUT_T, {"workspaceId": ""}, "/workspaceId"),
    (*PUT_T, {"clientId": None}, "/clientId"),
    (*PUT_T, {"name": 7}, "/name"),
    (*PUT_T, {"schedule": []}, "/schedule"),
    (*PUT_T, {"schedule": {"kind": "interval"}}, "/schedule"),
    (*PUT_T, {"schedule": {"kind": "interval", "every": "60"}}, "/schedule/every"),
    (*PUT_T, {"maxConcurrent": 0}, "/maxConcurrent"),
    (*PUT_T, {"maxConcurrent": 1.5}, "/maxConcurrent"),
    (*PUT_T, {"maxConcurrent": True}, "/maxConcurrent"),
    (*PUT_T, {"maxRunMinutes": -1}, "/maxRunMinutes"),
    (*PUT_T, {"priority": 101}, "/priority"),
    (*PUT_T, {"priority": 0}, "/priority"),
    (*PUT_T, {"lockKeys": ["a", "a"]}, "/lockKeys/1"),
    (*PUT_T, {"lockKeys": "a"}, "/lockKeys"),
    (*PUT_T, {"lockKey": 7}, "/lockKey"),
    (*PUT_T, {"delaySeconds": -0.1}, "/delaySeconds"),
    (*PUT_T, {"delaySeconds": "1"}, "/delaySeconds"),
    (*PUT_T, {"catchUp": "everything"}, "/catchUp"),
    (*PUT_T, {"catchUpWindowSeconds": -1}, "/catchUpWindowSeconds"),
    (*PUT_T, {"on": "pushed"}, "/on"),
    (*PUT_T, {"where": 7}, "/where"),
    (*PUT_T, {"lockKeyTemplate": 7}, "/lockKeyTemplate"),
    (*PUT_T, {"paused": "no"}, "/paused"),
    (*PUT_T, {"overlap": "skip"}, "/overlap"),
    (*PUT_T, [], ""),
    ("POST", f"{T}/fire", {"priority": 1.5}, "/priority"),
    ("POST", f"{T}/fire", {"lockKey": 7}, "/lockKey"),
    ("POST", f"{T}/fire", {"source": "schedule"}, "/source"),
    ("POST", f"{T}/fire", {"key": "k"}, "/key"),
    ("POST", f"{T}/fire", "fire", ""),
    ("POST", "/v1/executions/x/finished", {}, ""),
    ("POST", "/v1/executions/x/finished", {"outcome": "expired"}, "/outcome"),
    ("POST", "/v1/executions/x/finished", {"outcome": "failed", "error": 7}, "/error"),
    ("POST", "/v1/executions/x/finished", {"outcome": "failed", "endedAt": "now"}, "/endedAt"),
    ("PUT", "/v1/workspaces/default", {}, ""),
    ("PUT", "/v1/workspaces/default", {"maxConcurrentExecutions": -1}, "/maxConcurrentExecutions"),
    ("POST", "/v1/schedules/preview", {}, ""),
    ("POST", "/v1/schedules/preview", {"schedule": {"kind": "none"}, "count": 0}, "/count"),
    ("POST", "/v1/schedules/preview", {"schedule": {"kind": "none"}, "from": 7}, "/from"),
    ("POST", "/v1/simulate", {}, ""),
    ("POST", "/v1/simulate", {"triggers": [{}]}, "/triggers/0"),
]


async def each_refuses(
    bridge: RunningBridge,
    routes: Iterable[tuple[str, str]],
    expected: tuple[int, str],
    **request: Any,
) -> None:
    """Sends the same request to every route; a bridge for each of them would take too long."""
    answers = {route: await bridge.call(*route, **request) for route in routes}
    refused = {route: (reply.status, reply.problem) for route, reply in answers.items()}
    assert refused == dict.fromkeys(answers, expected)


@pytest.mark.parametrize(("method", "path"), ROUTES_WITH_A_BODY)
async def test_a_schema_violation(bridge: RunningBridge, method: str, path: str) -> None:
    for *route, body, pointer in VIOLATIONS:
        if route != [method, path]:
            continue
        reply = await bridge.call(method, path, body)
        assert (reply.status, reply.problem) == (400, "invalid-body"), body
        assert any(error["pointer"].startswith(pointer) for error in reply.value["errors"]), body


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"{", "malformed-json"),
        (b"\xff", "malformed-utf-8"),
        (b"[" * 4000, "too-deep"),
        (b'{"payload": ' + b"9" * 4000 + b"}", "number-out-of-range"),
        (b'{"payload": "\\ud800"}', "lone-surrogate"),
        (b'{"payload": NaN}', "malformed-json"),
    ],
)
async def test_a_body_that_is_not_json(bridge: RunningBridge, raw: bytes, problem: str) -> None:
    await each_refuses(bridge, ROUTES_WITH_A_BODY, (400, problem), raw=raw)


async def test_a_body_that_is_too_large(bridge: RunningBridge) -> None:
    raw = b'{"payload": "' + b"x" * 5000 + b'"}'
    await each_refuses(bridge, ROUTES_WITH_A_BODY, (413, "body-too-large"), raw=raw)


async def test_a_body_in_another_form(bridge: RunningBridge) -> None:
    headers = {"Content-Type": "text/plain"}
    expected = (415, "unsupported-media-type")
    await each_refuses(bridge, ROUTES_WITH_A_BODY, expected, raw=b"{}", headers=headers)


@pytest.mark.parametrize(
    ("headers", "status", "problem"),
    [
        ({"Authorization": "Bearer wrong"}, 401, "unauthorized"),
        ({"Authorization": ""}, 401, "unauthorized"),
        ({"Origin": "https://evil.example"}, 403, "forbidden-origin"),
        ({"Origin": "null"}, 403, "forbidden-origin"),
        ({"Host": "evil.example"}, 403, "forbidden-host"),
    ],
)
async def test_who_may_not_call(
    bridge: RunningBridge, headers: Mapping[str, str], status: int, problem: str
) -> None:
    await each_refuses(bridge, ALL_ROUTES, (status, problem), headers=headers)


async def test_a_wrong_method(bridge: RunningBridge) -> None:
    routes = [("PATCH", path.partition("?")[0]) for _, path in ALL_ROUTES]
    await each_refuses(bridge, routes, (405, "method-not-allowed"))
    assert (await bridge.call("PATCH", T)).headers["Allow"] == "DELETE,GET,PUT"


async def test_a_path_that_is_not_there(bridge: RunningBridge) -> None:
    reply = await bridge.call("GET", "/v1/nothing")
    assert (reply.status, reply.problem) == (404, "not-found")


async def test_a_name_that_nothing_can_have(bridge: RunningBridge) -> None:
    for name in ("a%00b", "a%0Ab", "%07", "%7F", "x" * 301):
        routes = [
            ("PUT", f"/v1/triggers/{name}"),
            ("POST", f"/v1/triggers/{name}/fire"),
            ("GET", f"/v1/executions/{name}"),
            ("POST", f"/v1/executions/{name}/cancel"),
            ("GET", f"/v1/workspaces/{name}"),
        ]
        await each_refuses(bridge, routes, (400, "bad-request"), raw=b"{}")


async def test_a_fault_of_a_name_in_the_path_says_which_name(bridge: RunningBridge) -> None:
    reply = await bridge.call("GET", "/v1/triggers/a%07b")
    assert reply.value["detail"] == "triggerId must not contain control characters."
    reply = await bridge.call("GET", f"/v1/executions/{'x' * 301}")
    assert reply.value["detail"] == "executionId must have at most 300 characters, not 301."


async def test_no_more_than_twenty_faults_are_told(bridge: RunningBridge) -> None:
    """Whether a schema has found them or what stands behind it."""
    for trigger in ({"triggerId": "t"}, {}):
        reply = await bridge.call("POST", "/v1/simulate", {"triggers": [trigger] * 30})
        assert (reply.status, len(reply.value["errors"])) == (400, 20)


async def test_a_bad_query(bridge: RunningBridge) -> None:
    paths = (
        "/v1/triggers?limit=0",
        "/v1/triggers?state=running",
        "/v1/executions?state=sleeping",
        "/v1/executions?limit=1001",
        "/v1/executions?cursor=next",
        "/v1/decisions?since=yesterday",
        "/v1/decisions?cursor=-1",
        "/v1/decisions?trigger=t",
        "/v1/stream?clientId=c",
        "/v1/stream?clientId=&sessionId=s",
    )
    await each_refuses(bridge, [("GET", path) for path in paths], (400, "invalid-query"))


async def test_a_stream_that_is_no_websocket(bridge: RunningBridge) -> None:
    reply = await bridge.call("GET", "/v1/stream?clientId=c&sessionId=s")
    assert (reply.status, reply.problem) == (400, "bad-request")
