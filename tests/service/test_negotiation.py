"""Bodies in and answers out: content types, sizes, forms (security.md: size, JSON, cross-site)."""

import gzip
import json

import msgpack  # type: ignore[import-untyped]  # it carries no types
import pytest

from schedule_bridge.api.limits import Limits
from schedule_bridge.api.media import accepted_media
from schedule_bridge.wire.codec import Media
from service.edge import Edge, running

FIRING = {"payload": {"n": 1}, "priority": 3}
JSON_BODY = json.dumps(FIRING).encode()
MSGPACK = "application/msgpack"


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON;charset=UTF-8"],
)
async def test_json_is_read(edge: Edge, content_type: str) -> None:
    reply = await edge.post(JSON_BODY, content_type)
    assert (reply.status, reply.json()) == (200, FIRING)


async def test_msgpack_is_read_and_written(edge: Edge) -> None:
    firing = {"payload": {"image": b"\x00\xff"}}
    reply = await edge.post(msgpack.packb(firing), MSGPACK, Accept=MSGPACK)
    assert (reply.status, reply.headers["Content-Type"]) == (200, MSGPACK)
    assert msgpack.unpackb(reply.body) == firing


async def test_a_json_client_sees_the_bytes_of_a_msgpack_client(edge: Edge) -> None:
    reply = await edge.post(msgpack.packb({"payload": b"\x00\xff"}), MSGPACK)
    assert reply.json() == {"payload": {"$base64": "AP8="}}


@pytest.mark.parametrize(
    "headers",
    [
        {"content_type": "text/plain"},
        {"content_type": "text/plain; application/json"},
        {"content_type": "application/x-www-form-urlencoded"},
        {"content_type": "multipart/form-data; boundary=x"},
        {"content_type": "application/jsonp"},
        {"content_type": ""},
        {"content_type": "application/json; charset=utf-16"},
        {"content_type": "application/json; charset=bogus"},
        {"Content_Encoding": "gzip"},
        {"Content_Encoding": "identity, gzip"},
    ],
)
async def test_another_form_of_body_is_refused(edge: Edge, headers: dict[str, str]) -> None:
    reply = await edge.post(JSON_BODY, **headers)
    assert (reply.status, reply.problem) == (415, "unsupported-media-type")


async def test_a_compressed_bomb_is_not_opened(edge: Edge) -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    reply = await edge.post(bomb, Content_Encoding="gzip")
    assert reply.status == 415


@pytest.mark.parametrize(
    ("content_type", "body", "code", "pointer"),
    [
        ("application/json", b"", "malformed-json", ""),
        ("application/json", b"{", "malformed-json", ""),
        ("application/json", b"[" * 5000, "too-deep", ""),
        (
            "application/json",
            b'{"payload": ' + b"9" * 5000 + b"}",
            "number-out-of-range",
            "/payload",
        ),
        ("application/json", b'{"payload": "\xff"}', "malformed-utf-8", ""),
        ("application/json", b'{"payload": "\\ud800"}', "lone-surrogate", "/payload"),
        ("application/json", b'{"payload": NaN}', "malformed-json", ""),
        (MSGPACK, b"\x91" * 5000, "too-deep", ""),
        (MSGPACK, b"\xdd\xff\xff\xff\xff", "malformed-msgpack", ""),
        (MSGPACK, b"\xd4\x05\x00", "unknown-extension", ""),
        ("application/json", b"[1]", "invalid-body", ""),
        ("application/json", b'{"priority": 0}', "invalid-body", "/priority"),
        ("application/json", b'{"priorty": 1}', "invalid-body", "/priorty"),
    ],
)
async def test_a_bad_body_is_400_with_a_code_a_place_and_a_sentence(
    edge: Edge, content_type: str, body: bytes, code: str, pointer: str
) -> None:
    reply = await edge.post(body, content_type)
    assert (reply.status, reply.problem) == (400, code)
    (error,) = reply.json()["errors"]
    assert error["pointer"] == pointer
    assert error["message"].endswith((".", "?"))


async def test_a_body_at_the_limit_is_read_and_one_beyond_is_not() -> None:
    body = json.dumps({"payload": "x" * 50_000}).encode()
    for limit, status in ((len(body), 200), (len(body) - 1, 413)):
        async with running(limits=Limits(body_bytes=limit)) as edge:
            reply = await edge.post(body)
            assert reply.status == status
    assert reply.problem == "body-too-large"


async def test_a_body_that_hides_its_length_is_bounded_too() -> None:
    async with running(limits=Limits(body_bytes=10)) as edge:
        head = edge.authorized("POST /v1/echo HTTP/1.1", "Transfer-Encoding: chunked")
        answer = await edge.raw(head + b"14\r\n" + b" " * 20 + b"\r\n0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"body-too-large" in answer


async def test_a_body_that_breaks_the_rules_of_http_is_400(edge: Edge) -> None:
    head = edge.authorized("POST /v1/echo HTTP/1.1", "Transfer-Encoding: chunked")
    answer = await edge.raw(head + b"xyz\r\n")
    assert answer.startswith(b"HTTP/1.0 400 ")
    assert b"urn:schedule-bridge:problem:bad-request" in answer


async def test_a_body_that_goes_wrong_while_it_is_read_is_refused() -> None:
    lines = ("Transfer-Encoding: chunked", "Expect: 100-continue")
    async with running(limits=Limits(body_seconds=0.05)) as edge:
        answer = await edge.raw(
            edge.authorized("POST /v1/echo HTTP/1.1", *lines), then=b"not a chunk\r\n"
        )
    # aiohttp's compiled parser keeps the fault from the reader, who meets the time limit instead.
    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 408 "))


@pytest.mark.parametrize("body", [None, b"{}"])
async def test_an_optional_body_may_be_absent(edge: Edge, body: bytes | None) -> None:
    reply = await edge.call("POST", "/v1/optional", body, Content_Type="application/json")
    assert (reply.status, reply.json()) == (200, {})


async def test_an_optional_body_that_is_there_is_validated(edge: Edge) -> None:
    reply = await edge.call(
        "POST", "/v1/optional", b'{"priority": 0}', Content_Type="application/json"
    )
    assert (reply.status, reply.problem) == (400, "invalid-body")


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("", Media.JSON),
        ("*/*", Media.JSON),
        ("text/html", Media.JSON),
        ("application/json", Media.JSON),
        ("application/msgpack", Media.MSGPACK),
        ("Application/MsgPack", Media.MSGPACK),
        ("application/msgpack, */*", Media.MSGPACK),
        ("application/json, application/msgpack", Media.MSGPACK),
        ("application/json, application/msgpack;q=0.9", Media.JSON),
        ("application/msgpack;q=0, application/json", Media.JSON),
        ("application/json;q=0, */*", Media.MSGPACK),
        ("application/json;q=0, application/msgpack", Media.MSGPACK),
        ("application/json;q=0", None),
        ("*/*;q=0", None),
        ("application/json;q=0, application/msgpack;q=0, */*", None),
        ("application/json;q=nonsense", None),
        (";;,,q=", Media.JSON),
    ],
)
def test_the_accept_header_chooses_the_form(accept: str, media: Media | None) -> None:
    assert accepted_media(accept) is media


async def test_a_client_that_wants_neither_form_is_told_in_json(edge: Edge) -> None:
    reply = await edge.call("GET", "/v1/list", Accept="application/json;q=0")
    assert (reply.status, reply.problem) == (406, "not-acceptable")


async def test_query_parameters_are_typed_and_checked(edge: Edge) -> None:
    reply = await edge.call("GET", "/v1/list?triggerId=7&limit=20&since=2026-01-01T00:00:00Z")
    assert reply.json() == {"triggerId": "7", "limit": 20, "since": "2026-01-01T00:00:00Z"}


@pytest.mark.parametrize(
    ("query", "pointer", "sentence"),
    [
        ("trigerId=7", "/trigerId", "trigerId is not taken here, or given twice."),
        ("state=pending", "/state", "state is not taken here, or given twice."),
        ("limit=1&limit=2", "/limit", "limit is not taken here, or given twice."),
        ("limit=0", "/limit", "limit must be a whole number of at least 1, not 0."),
        ("limit=ten", "/limit", 'limit must be a whole number of at least 1, not "ten".'),
        (
            "since=noon",
            "/since",
            'since must be an instant such as 2026-01-01T00:00:00Z, not "noon".',
        ),
        ("triggerId=%00", "/triggerId", "triggerId must not contain control characters."),
    ],
)
async def test_a_bad_query_is_refused(edge: Edge, query: str, pointer: str, sentence: str) -> None:
    reply = await edge.call("GET", f"/v1/list?{query}")
    assert (reply.status, reply.problem) == (400, "invalid-query")
    assert reply.json()["errors"] == [{"pointer": pointer, "message": sentence}]
