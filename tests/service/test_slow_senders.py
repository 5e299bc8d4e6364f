"""Peers that take their time or come in numbers (security.md: slow senders).

Each bound is set so low that it is met at once; no duration is measured.
"""

import pytest

from schedule_bridge.api.limits import Limits
from service.edge import Edge, running

HURRIED = Limits(body_seconds=0.05, keep_alive=0.05, unread_body_seconds=0.05)


async def test_a_connection_that_says_nothing_is_closed() -> None:
    async with running(limits=HURRIED) as edge:
        assert await edge.raw(b"") == b""


async def test_headers_that_never_end_are_cut_off() -> None:
    async with running(limits=HURRIED) as edge:
        assert await edge.raw(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1") == b""


async def test_an_idle_connection_is_closed_after_its_answer() -> None:
    async with running(limits=HURRIED) as edge:
        host = f"Host: 127.0.0.1:{edge.port}".encode()
        answer = await edge.raw(b"GET /healthz HTTP/1.1\r\n" + host + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("framing", ["Content-Length: 100", "Transfer-Encoding: chunked"])
async def test_a_body_that_never_ends_is_408_and_closes(framing: str) -> None:
    async with running(limits=HURRIED) as edge:
        answer = await edge.raw(edge.authorized("POST /v1/echo HTTP/1.1", framing) + b"2\r\n{")
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"slow-body" in answer


async def test_a_body_that_nobody_reads_does_not_hold_the_connection() -> None:
    async with running(limits=HURRIED) as edge:
        head = edge.authorized("GET /v1/list HTTP/1.1", "Content-Length: 100")
        answer = await edge.raw(head + b"x")
    assert answer.startswith(b"HTTP/1.1 200 ")


async def test_an_address_that_is_taken_is_an_error_of_the_caller(edge: Edge) -> None:
    with pytest.raises(OSError, match="address already in use"):
        async with running(port=edge.port):
            pass
