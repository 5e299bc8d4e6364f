"""Requests that are written to be read in two ways: heads, paths, framing (security.md)."""

from __future__ import annotations

import pytest

from service.edge import TOKEN, Edge

BEARER = f"Authorization: Bearer {TOKEN}"


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def statuses_of(answers: bytes) -> list[int]:
    return [int(part[:3]) for part in answers.split(b"HTTP/1.1 ")[1:]]


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:{port}, evil.test",
        "127.0.0.1:{port}#evil.test",
        "127.0.0.1:{port}/",
        "127.0.0.1:0{port}",
        "127.0.0.1:{port}@evil.test",
        "127.0.0.1%00:{port}",
        "127.1:{port}",
        "0x7f000001:{port}",
        "2130706433:{port}",
        "[::ffff:127.0.0.1]:{port}",
        "0.0.0.0:{port}",
        "localhost.evil.test:{port}",
        "127.0.0.1.nip.io:{port}",
        "\u2460\u2461\u2466.0.0.1:{port}",
        "xn--localhost:{port}",
    ],
)
async def test_another_way_to_write_the_host_is_another_host(edge: Edge, host: str) -> None:
    line = "Host: " + host.format(port=edge.port)
    answer = await edge.raw(edge.head("GET /v1/list HTTP/1.1", line, BEARER))
    assert status_of(answer) in (400, 403)


@pytest.mark.parametrize(
    "lines",
    [
        ("X-Forwarded-Host: evil.test", "Forwarded: host=evil.test"),
        ("X-Original-URL: /healthz", "X-Rewrite-URL: /healthz"),
        ("X-HTTP-Method-Override: GET", "X-Forwarded-For: 127.0.0.1"),
        (f"X-Api-Key: {TOKEN}", f"Cookie: token={TOKEN}"),
        (f"Proxy-Authorization: Bearer {TOKEN}",),
    ],
)
async def test_no_other_header_stands_in_for_the_token(edge: Edge, lines: tuple[str, ...]) -> None:
    host = f"Host: 127.0.0.1:{edge.port}"
    assert status_of(await edge.raw(edge.head("GET /v1/list HTTP/1.1", host, *lines))) == 401


@pytest.mark.parametrize(
    "path",
    [
        "//v1/list",
        "/v1//list",
        "/./v1/list",
        "/v1/x/../list",
        "/v1/%2e%2e/healthz",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/v1%2flist",
        "/healthz%2f..%2fv1%2flist",
        "/healthz/../v1/list",
        "/healthz;/v1/list",
        "/healthz%00",
        "/HEALTHZ",
        "/healthz/",
        "//evil.test/healthz",
        "/\\evil.test/healthz",
    ],
)
async def test_no_way_to_write_a_path_gets_around_the_token(edge: Edge, path: str) -> None:
    host = f"Host: 127.0.0.1:{edge.port}"
    answer = await edge.raw(edge.head(f"GET {path} HTTP/1.1", host))
    assert status_of(answer) in (400, 401)


@pytest.mark.parametrize(
    "name", ["..%2F..%2Fetc%2Fpasswd", "%2e%2e", "..%5c..%5cwindows", "%2Fetc%2Fpasswd", "a%252Fb"]
)
async def test_a_path_within_an_id_is_a_name_like_any_other(edge: Edge, name: str) -> None:
    reply = await edge.raw(edge.authorized(f"GET /v1/things/{name} HTTP/1.1"))
    assert status_of(reply) in (201, 404)


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PUT", "DELETE", "PATCH", "PROPFIND"])
async def test_another_method_is_refused(edge: Edge, method: str) -> None:
    target = f"127.0.0.1:{edge.port}" if method == "CONNECT" else "/v1/list"
    answer = await edge.raw(edge.authorized(f"{method} {target} HTTP/1.1"))
    assert status_of(answer) in (400, 405)
    assert TOKEN.encode() not in answer


async def test_http_1_0_is_held_to_the_same_rules(edge: Edge) -> None:
    host = f"Host: 127.0.0.1:{edge.port}"
    assert status_of(await edge.raw(edge.head("GET /v1/list HTTP/1.0", host, BEARER))) == 200
    assert status_of(await edge.raw(edge.head("GET /v1/list HTTP/1.0", host))) == 401
    assert status_of(await edge.raw(edge.head("GET /v1/list HTTP/1.0", BEARER))) == 400


SMUGGLED = b"GET /v1/list HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    "lines",
    [
        ("Content-Length: 2", "Transfer-Encoding: chunked"),
        ("Content-Length: 2", "Content-Length: 90"),
        ("Content-Length: +2",),
        ("Content-Length: 2, 90",),
        ("Content-Length: 0x2",),
        ("Transfer-Encoding: xchunked",),
        ("Transfer-Encoding: chunked, identity",),
        ("Transfer-Encoding : chunked",),
        ("Transfer-Encoding:\x0bchunked",),
        ("X-Folded: a", " b"),
        ("Bad Name: x",),
        (": no name",),
    ],
)
async def test_a_body_whose_end_can_be_read_in_two_ways_is_refused(
    edge: Edge, lines: tuple[str, ...]
) -> None:
    """And what stands behind it is never read as a second request."""
    head = edge.authorized("POST /v1/echo HTTP/1.1", *lines).replace(b"Connection: close\r\n", b"")
    answers = (await edge.raw(head + b"{}" + SMUGGLED)).replace(b"HTTP/1.0 ", b"HTTP/1.1 ")
    assert statuses_of(answers) == [400]


async def test_a_bare_line_feed_ends_no_header(edge: Edge) -> None:
    head = edge.head("GET /v1/list HTTP/1.1", f"Host: 127.0.0.1:{edge.port}")
    injected = head.replace(b"\r\n\r\n", b"\r\nX: a\n" + BEARER.encode() + b"\r\n\r\n")
    assert status_of(await edge.raw(injected)) in (400, 401)


@pytest.mark.parametrize("chunks", [b"-2\r\n{}\r\n0\r\n\r\n", b"zz\r\n", b"2\r\n{}0\r\n\r\n"])
async def test_a_chunk_that_breaks_the_rules_is_refused(edge: Edge, chunks: bytes) -> None:
    head = edge.authorized("POST /v1/echo HTTP/1.1", "Transfer-Encoding: chunked")
    assert status_of(await edge.raw(head + chunks)) == 400


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"payload": 1e999}', 400),
        (b'{"payload": -Infinity}', 400),
        (b'{"payload": NaN}', 400),
        (b'{"payload": -0}', 200),
        (b'{"payload": 1e-999}', 200),
        (b'{"payload": 01}', 400),
        (b'{"priority": 1, "priority": 2}', 200),
        (b"\xef\xbb\xbf{}", 400),
        (b"{}{}", 400),
        (b"{} // comment", 400),
        (b"{'payload': 1}", 400),
        (b'{"__proto__": {"priority": 1}}', 400),
        (b'{"constructor": {}}', 400),
    ],
)
async def test_json_is_read_in_one_way(edge: Edge, body: bytes, status: int) -> None:
    reply = await edge.post(body)
    assert reply.status == status
