"""Every route of the API is served and described, with the Idempotency-Key where it decides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from service.bridge import RunningBridge

TRIGGER = "/v1/triggers/{triggerId}"
EXECUTION = "/v1/executions/{executionId}"
JOB = EXECUTION + "/jobs/{jobId}"
WORKSPACE = "/v1/workspaces/{workspaceId}"

DECIDING = [
    f"{TRIGGER}/fire",
    f"{TRIGGER}/pause",
    f"{TRIGGER}/resume",
    "/v1/events",
    f"{EXECUTION}/started",
    f"{EXECUTION}/finished",
    f"{EXECUTION}/pause",
    f"{EXECUTION}/resume",
    f"{EXECUTION}/cancel",
    f"{EXECUTION}/terminate",
    f"{EXECUTION}/jobs",
    f"{JOB}/claim",
    f"{JOB}/finished",
]

ROUTES = [
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/v1/info"),
    ("PUT", TRIGGER),
    ("GET", "/v1/triggers"),
    ("GET", TRIGGER),
    ("DELETE", TRIGGER),
    ("POST", f"{TRIGGER}/replay"),
    ("GET", "/v1/executions"),
    ("GET", EXECUTION),
    ("GET", WORKSPACE),
    ("PUT", WORKSPACE),
    ("POST", f"{WORKSPACE}/hand-over"),
    ("GET", "/v1/decisions"),
    ("POST", "/v1/schedules/preview"),
    ("POST", "/v1/simulate"),
    ("GET", "/v1/stream"),
    ("GET", "/metrics"),
    ("GET", "/openapi.json"),
    *(("POST", path) for path in DECIDING),
]


async def test_the_document_has_these_routes_and_no_others(bridge: RunningBridge) -> None:
    described = [
        (method.upper(), path) for path, item in bridge.document["paths"].items() for method in item
    ]
    assert sorted(described) == sorted(ROUTES)


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_a_route_is_served(bridge: RunningBridge, method: str, path: str) -> None:
    """Nobody of these names is there; what matters is who says so."""
    url = bridge.base + re.sub(r"{\w+}", "nobody", path)
    async with bridge.session.request(method, url, headers=bridge.authorized) as response:
        said = await response.text()
    assert response.status != 405
    assert "There is nothing at this path." not in said


async def test_whatever_decides_by_post_takes_an_idempotency_key(bridge: RunningBridge) -> None:
    keyed = [
        path
        for path, item in bridge.document["paths"].items()
        for method, operation in item.items()
        if any(each["name"] == "Idempotency-Key" for each in operation["parameters"])
        and method == "post"
    ]
    assert sorted(keyed) == sorted(DECIDING)


async def replies(bridge: RunningBridge, *calls: tuple[str, str, object]) -> list[object]:
    """The answers to calls of one key, each called twice; the second must be the first again."""
    values = []
    for key, path, body in calls:
        first = await bridge.call("POST", path, body, key=key)
        again = await bridge.call("POST", path, body, key=key)
        assert first.status in (200, 201), first.value
        assert (again.status, again.value) == (first.status, first.value), path
        values.append(first.value)
    return values


async def test_a_repeat_of_any_decision_changes_nothing(bridge: RunningBridge) -> None:
    await bridge.set(on=["e"])
    (event,) = await replies(bridge, ("event", "/v1/events", {"type": "e"}))
    assert isinstance(event, dict)
    one = f"/v1/executions/{event['decisions'][0]['executionId']}"
    await replies(
        bridge,
        ("pause t", "/v1/triggers/t/pause", None),
        ("fire", "/v1/triggers/t/fire", {"payload": 1}),
        ("resume t", "/v1/triggers/t/resume", None),
        ("started", f"{one}/started", None),
        ("pause", f"{one}/pause", None),
        ("resume", f"{one}/resume", None),
        ("job", f"{one}/jobs", {"jobId": "j"}),
        ("claim", f"{one}/jobs/j/claim", None),
        ("finish j", f"{one}/jobs/j/finished", None),
        ("finish", f"{one}/finished", {"outcome": "completed"}),
    )
    second = f"/v1/executions/{(await bridge.fire())[0]['executionId']}"
    third = f"/v1/executions/{(await bridge.fire())[0]['executionId']}"
    await replies(bridge, ("cancel", f"{second}/cancel", None))
    await replies(bridge, ("terminate", f"{third}/terminate", None))
    decisions = (await bridge.call("GET", "/v1/decisions")).value["decisions"]
    assert len(decisions) == 4
