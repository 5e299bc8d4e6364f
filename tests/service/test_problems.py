"""Errors as problem details, and what they keep to themselves (security.md: error leaks)."""

import logging

import msgpack  # type: ignore[import-untyped]  # it carries no types
import pytest
from aiohttp import WSMsgType

from schedule_bridge.wire.schemas import validate
from service.edge import AUTHORIZED, LOGGED, TOKEN, Edge


async def test_a_refusal_of_a_route_is_told_whole(edge: Edge) -> None:
    reply = await edge.call("GET", "/v1/things/absent")
    assert reply.status == 404
    assert reply.headers["Content-Type"] == "application/problem+json"
    assert reply.json() == {
        "type": "urn:schedule-bridge:problem:unknown-thing",
        "title": "There is no such thing",
        "status": 404,
        "detail": 'There is no thing "absent".',
    }


async def test_a_problem_is_told_in_msgpack_when_asked(edge: Edge) -> None:
    reply = await edge.call("GET", "/v1/things/absent", Accept="application/msgpack")
    assert (reply.status, reply.headers["Content-Type"]) == (404, "application/msgpack")
    assert msgpack.unpackb(reply.body)["type"] == "urn:schedule-bridge:problem:unknown-thing"


async def test_an_unknown_path_is_404(edge: Edge) -> None:
    reply = await edge.call("GET", "/v1/nowhere")
    assert (reply.status, reply.problem) == (404, "not-found")


@pytest.mark.parametrize("method", ["DELETE", "PUT", "HEAD", "PATCH"])
async def test_a_wrong_method_is_405_and_says_which_are_right(edge: Edge, method: str) -> None:
    reply = await edge.call(method, "/v1/echo")
    assert (reply.status, reply.headers["Allow"]) == (405, "POST")
    if method != "HEAD":
        assert reply.json()["detail"] == f"This path takes POST, not {method}."


async def test_a_stream_that_is_asked_for_without_an_upgrade_is_400(edge: Edge) -> None:
    reply = await edge.call("GET", "/v1/stream")
    assert (reply.status, reply.problem) == (400, "bad-request")


async def test_every_problem_fits_its_schema(edge: Edge) -> None:
    for method, path in (("GET", "/v1/nowhere"), ("GET", "/v1/broken"), ("POST", "/v1/echo")):
        reply = await edge.call(method, path, b"[1]", Content_Type="application/json")
        assert validate("problem", reply.json()) == []


async def test_a_mistake_of_the_bridge_is_logged_and_not_told(
    edge: Edge, caplog: pytest.LogCaptureFixture
) -> None:
    reply = await edge.call("GET", "/v1/broken")
    assert (reply.status, reply.problem) == (500, "unexpected")
    assert LOGGED.encode() not in reply.body
    assert LOGGED in caplog.text


async def test_a_mistake_after_the_upgrade_closes_the_stream(
    edge: Edge, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"{edge.base}/v1/stream?fail=1"
    async with edge.session.ws_connect(url, headers=AUTHORIZED) as socket:
        assert (await socket.receive()).type in {WSMsgType.CLOSED, WSMsgType.ERROR}
    assert LOGGED in caplog.text


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"nonsense\r\n\r\n",
        b"BREW / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nAuthorization: Bearer " + TOKEN.encode() + b"\0\r\n\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + TOKEN.encode() * 1000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 1000 + b"\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
)
async def test_what_is_no_http_is_400_and_leaves_no_trace_in_the_log(
    edge: Edge, caplog: pytest.LogCaptureFixture, request_bytes: bytes
) -> None:
    with caplog.at_level(logging.DEBUG):
        answer = await edge.raw(request_bytes)
    assert answer.startswith(b"HTTP/1.0 400 ")
    assert b"application/problem+json" in answer
    assert b"urn:schedule-bridge:problem:bad-request" in answer
    assert caplog.records == []


async def test_an_expectation_that_nobody_meets_is_417(edge: Edge) -> None:
    for path in ("/v1/list", "/nowhere", "/healthz"):
        answer = await edge.raw(edge.authorized(f"GET {path} HTTP/1.1", "Expect: the best"))
        assert answer.startswith(b"HTTP/1.1 417 ")
        assert b"urn:schedule-bridge:problem:expectation-failed" in answer


async def test_a_client_that_leaves_is_no_mistake(
    edge: Edge, caplog: pytest.LogCaptureFixture
) -> None:
    await edge.hang_up_after(edge.authorized("POST /v1/echo HTTP/1.1", "Content-Length: 9") + b"{")
    assert (await edge.call("GET", "/healthz")).status == 200
    assert caplog.records == []


async def test_an_id_in_a_path_may_hold_any_character(edge: Edge) -> None:
    reply = await edge.call("GET", "/v1/things/a%2Fb%20c%25%C3%BC.d")
    assert (reply.status, reply.json()) == (201, {"thingId": "a/b c%ü.d"})
