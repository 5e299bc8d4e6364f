"""Answers as bytes, for requests that aiohttp's own responses would cost more than the decision."""

from __future__ import annotations

from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from time import time
from typing import TYPE_CHECKING, Final

from aiohttp.http import SERVER_SOFTWARE

from schedule_bridge.api.answering import body_of, content_type_of
from schedule_bridge.wire.codec import encode

if TYPE_CHECKING:
    from schedule_bridge.api.problems import Problem
    from schedule_bridge.wire.codec import Media

_SERVER: Final = SERVER_SOFTWARE.encode()


def answer_bytes(value: object, media: Media) -> bytes:
    """A whole answer of 200 with the value as its body."""
    return _whole(_head(HTTPStatus.OK, media.value), encode(media, value))


def problem_bytes(problem: Problem, media: Media) -> bytes:
    """A whole answer that tells a client of the problem."""
    more = "".join(f"\r\n{name}: {value}" for name, value in problem.headers.items())
    head = _head(HTTPStatus(problem.status), content_type_of(media) + more)
    return _whole(head, encode(media, body_of(problem)))


@lru_cache
def _head(status: HTTPStatus, content_type: str) -> bytes:
    line = f"HTTP/1.1 {status.value} {status.phrase}"
    return f"{line}\r\nContent-Type: {content_type}\r\nContent-Length: ".encode()


def _whole(head: bytes, body: bytes) -> bytes:
    date = _date(int(time()))
    return b"%b%d\r\nDate: %b\r\nServer: %b\r\n\r\n%b" % (head, len(body), date, _SERVER, body)


@lru_cache(1)
def _date(second: int) -> bytes:
    return formatdate(second, usegmt=True).encode()
