"""Who may call: hosts, origins, the token (security.md: rebinding, cross-site, hijack)."""

import pytest
from aiohttp import WSServerHandshakeError
from aiohttp.test_utils import make_mocked_request

from schedule_bridge.api.guard import Guard
from schedule_bridge.api.problems import BadRequest
from service.edge import AUTHORIZED, TOKEN, Edge, running

BEARER = f"Authorization: Bearer {TOKEN}"
ALLOWED = Guard(TOKEN, hosts=frozenset({"bridge.test:80"}), origins=frozenset({"https://red.test"}))


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


@pytest.mark.parametrize(
    "host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"]
)
async def test_the_own_address_is_served(edge: Edge, host: str) -> None:
    line = "Host: " + host.format(port=edge.port)
    answer = await edge.raw(edge.head("GET /v1/list HTTP/1.1", line, BEARER))
    assert status_of(answer) == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.test",
        "evil.test:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.:{port}",
        "127.0.0.1:{port}.evil.test",
        "user@127.0.0.1:{port}",
        "bridge.test:80",
    ],
)
@pytest.mark.parametrize("path", ["/v1/list", "/healthz", "/nowhere", "/v1/stream"])
async def test_another_host_is_refused_before_routing(edge: Edge, host: str, path: str) -> None:
    line = "Host: " + host.format(port=edge.port)
    answer = await edge.raw(edge.head(f"GET {path} HTTP/1.1", line, BEARER))
    assert status_of(answer) == 403
    assert b"forbidden-host" in answer


@pytest.mark.parametrize("lines", [(), ("Host:",), ("Host: 127.0.0.1:{port}", "Host: evil.test")])
async def test_an_absent_empty_or_second_host_is_refused(
    edge: Edge, lines: tuple[str, ...]
) -> None:
    hosts = [line.format(port=edge.port) for line in lines]
    answer = await edge.raw(edge.head("GET /v1/list HTTP/1.1", *hosts, BEARER))
    assert status_of(answer) == 400


@pytest.mark.parametrize("target", ["http://evil.test/v1/list", "http://127.0.0.1:{port}/v1/list"])
async def test_an_absolute_target_is_refused(edge: Edge, target: str) -> None:
    line = f"GET {target.format(port=edge.port)} HTTP/1.1"
    answer = await edge.raw(edge.head(line, f"Host: 127.0.0.1:{edge.port}", BEARER))
    assert status_of(answer) == 400


async def test_an_allowed_host_and_origin_are_served() -> None:
    async with running(ALLOWED) as edge:
        reply = await edge.call("GET", "/v1/list", Host="bridge.test:80", Origin="https://red.test")
    assert reply.status == 200
    assert not [name for name in reply.headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize(
    "origin", ["https://evil.test", "null", "http://127.0.0.1", "https://red.test.evil.test"]
)
async def test_a_foreign_origin_is_refused(origin: str) -> None:
    async with running(ALLOWED) as edge:
        reply = await edge.call("POST", "/v1/echo", b"{}", Origin=origin)
    assert (reply.status, reply.problem) == (403, "forbidden-origin")


async def test_a_preflight_gets_no_permission(edge: Edge) -> None:
    reply = await edge.call("OPTIONS", "/v1/echo", Origin="https://evil.test")
    assert reply.status == 403


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer \udcff\udcfe",
        "Bearer tökén",
    ],
)
async def test_another_token_is_refused(edge: Edge, authorization: str) -> None:
    line = b"Authorization: " + authorization.encode(errors="surrogateescape")
    head = edge.head("GET /v1/list HTTP/1.1", f"Host: 127.0.0.1:{edge.port}")
    answer = await edge.raw(head[:-2] + line + b"\r\n\r\n")
    assert status_of(answer) == 401
    assert b'WWW-Authenticate: Bearer realm="schedule-bridge"' in answer
    assert b"urn:schedule-bridge:problem:unauthorized" in answer


@pytest.mark.parametrize("name", ["token", "access_token", "authorization"])
async def test_a_token_in_the_url_counts_for_nothing(edge: Edge, name: str) -> None:
    async with edge.session.get(f"{edge.base}/v1/list?{name}={TOKEN}") as response:
        assert response.status == 401


async def test_health_needs_no_token(edge: Edge) -> None:
    async with edge.session.get(f"{edge.base}/healthz") as response:
        assert response.status == 200


async def test_an_unknown_path_tells_nothing_without_the_token(edge: Edge) -> None:
    async with edge.session.get(f"{edge.base}/v1/secrets") as response:
        assert response.status == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({**AUTHORIZED, "Origin": "https://evil.test"}, 403),
        ({**AUTHORIZED, "Host": "evil.test"}, 403),
    ],
)
async def test_the_guard_stands_before_the_upgrade(
    edge: Edge, headers: dict[str, str], status: int
) -> None:
    with pytest.raises(WSServerHandshakeError) as refusal:
        await edge.session.ws_connect(f"{edge.base}/v1/stream", headers=headers)
    assert refusal.value.status == status


@pytest.mark.parametrize("expectation", ["the best", "100-continue"])
@pytest.mark.parametrize("path", ["/v1/echo", "/nowhere"])
async def test_the_guard_stands_before_any_expectation(
    edge: Edge, expectation: str, path: str
) -> None:
    """Not even `100 Continue` is said to a caller without the token."""
    lines = (f"Host: 127.0.0.1:{edge.port}", f"Expect: {expectation}", "Content-Length: 2")
    answer = await edge.raw(edge.head(f"POST {path} HTTP/1.1", *lines) + b"{}")
    assert status_of(answer) == 401


async def test_a_guarded_stream_opens_with_the_token(edge: Edge) -> None:
    async with edge.session.ws_connect(f"{edge.base}/v1/stream", headers=AUTHORIZED) as socket:
        assert (await socket.receive()).data == 1000


@pytest.mark.parametrize("target", [b"/v1/list/\xff", b"/v1/list?triggerId=\xff", "/v1/ő".encode()])
async def test_a_target_that_is_not_encoded_is_refused(edge: Edge, target: bytes) -> None:
    head = edge.authorized("GET TARGET HTTP/1.1").replace(b"TARGET", target)
    assert status_of(await edge.raw(head)) == 400


@pytest.mark.parametrize("target", ["/v1/list/\udcff", "/v1/list?triggerId=\udcff"])
def test_half_a_surrogate_pair_in_a_target_is_refused_whatever_parsed_it(target: str) -> None:
    with pytest.raises(BadRequest):
        Guard(TOKEN).check(make_mocked_request("GET", target, headers=AUTHORIZED))
