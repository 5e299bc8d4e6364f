"""The short way of a request that decides: from aiohttp's parser to its route, and back as bytes.

aiohttp's own way (a request, two tasks, a router, a response) costs more than a decision. Whatever
is in the least unusual takes that way all the same, and no client can tell which one it was. So
does what another bridge may decide: only a request of aiohttp can be led there.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from aiohttp import HttpVersion11, hdrs, web
from aiohttp.http import RawRequestMessage
from aiohttp.streams import StreamReader
from yarl import URL

from schedule_bridge.api.answering import problem_of
from schedule_bridge.api.aside import INLINE_BYTES
from schedule_bridge.api.context import as_told
from schedule_bridge.api.media import accepted_media
from schedule_bridge.api.naming import KEY_HEADER
from schedule_bridge.api.negotiation import PLAIN_TYPES, interpret
from schedule_bridge.api.problems import Problem
from schedule_bridge.api.written import answer_bytes, problem_bytes
from schedule_bridge.engine import OwnedElsewhereError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from aiohttp.base_protocol import BaseProtocol

    from schedule_bridge.api.asking import AtHand, Decide, DecideNow
    from schedule_bridge.api.guard import Guard, Socket
    from schedule_bridge.api.limits import Limits
    from schedule_bridge.api.route import Route
    from schedule_bridge.wire.codec import Media

_PATH: Final = re.compile(r"/v1/(\w+)/(\w[\w.~-]{0,255})/(\w+)", re.ASCII)
"""Whose middle is an id as it is, with nothing in it to be unescaped or refused."""
_LINE: Final = re.compile(b"POST (%b) HTTP/1[.]1" % _PATH.pattern.encode())
_UNUSUAL: Final = (hdrs.EXPECT, hdrs.CONTENT_ENCODING)
_END_OF_LINE: Final = b"\r\n"
_END_OF_HEAD: Final = b"\r\n\r\n"
_MANNERS_KNOWN: Final = 16


@dataclass(slots=True, frozen=True)
class _Manner:
    """What the headers of a request say of its body and its answer; they have passed the guard."""

    reads: Media | None
    answers: Media


Manners = dict[tuple[tuple[bytes, bytes], ...], _Manner]
"""Of one connection: what headers said that were the same to the last byte."""


@dataclass(slots=True, frozen=True)
class _Head:
    """A head that aiohttp has parsed, but for its first line."""

    manner: _Manner
    message: RawRequestMessage
    length: int


Heads = dict[bytes, _Head]
"""Of one connection: what the lines after the first said that were the same to the last byte."""


@dataclass(slots=True)
class _AskedAtOnce:
    """What was asked by a request that is all here."""

    target: str
    path: str
    headers: Mapping[str, str]
    content: bytes
    reads: Media | None

    async def body(self, schema: str, *, optional: bool = False) -> dict[str, Any]:
        return self.read(schema, optional=optional)

    def read(self, schema: str, *, optional: bool = False) -> dict[str, Any]:
        if optional and not self.content:
            return {}
        return interpret(self.reads, self.content, schema)

    def unread(self, protocol: BaseProtocol) -> StreamReader:
        """The body, for somebody else to read."""
        loop = asyncio.get_running_loop()
        payload = StreamReader(protocol, limit=len(self.content), loop=loop)
        if self.content:
            payload.feed_data(self.content)
        payload.feed_eof()
        return payload


@dataclass(slots=True, frozen=True)
class _Way:
    """How a route decides, and about what."""

    decide: Decide
    decide_now: DecideNow
    at_hand: AtHand


@dataclass(slots=True)
class Errand:
    """A request on the short way, past the guard."""

    head: _Head
    asked: _AskedAtOnce
    way: _Way

    @property
    def message(self) -> RawRequestMessage:
        """The head, for somebody else to look at."""
        path = self.asked.path
        return self.head.message._replace(path=path, url=URL(path, encoded=True))

    def begin(self, tell: Callable[[bytes], None]) -> bool:
        """Decides if that needs no wait, and tells the whole answer once it is durable."""
        try:
            at_once = self.way.decide_now(self.asked)
        except Exception as error:
            tell(self._problem(error))
            return True
        if at_once is None:
            return False
        engine, decide = at_once
        answer = self._answer(decide)
        engine.when_durable(lambda lost: tell(answer if lost is None else self._problem(lost)))
        return True

    async def run(self) -> bytes:
        """Decides; the whole answer, whatever came of it.

        Raises:
            OwnedElsewhereError: another bridge decides since a moment; nothing has changed.
        """
        try:
            return answer_bytes(await self.way.decide(self.asked), self.head.manner.answers)
        except OwnedElsewhereError:
            raise
        except Exception as error:
            return self._problem(error)

    def _answer(self, decide: Callable[[], dict[str, Any]]) -> bytes:
        try:
            return answer_bytes(decide(), self.head.manner.answers)
        except Exception as error:
            return self._problem(error)

    def _problem(self, error: Exception) -> bytes:
        problem = problem_of(as_told(error), hdrs.METH_POST, self.asked.path)
        return problem_bytes(problem, self.head.manner.answers)


class Express:
    """The routes that can be reached on the short way."""

    def __init__(self, guard: Guard, routes: Iterable[Route], limits: Limits) -> None:
        self._guard = guard
        self._most_bytes = min(limits.body_bytes, INLINE_BYTES)
        self._ways: dict[tuple[str, str], _Way] = {}
        for route in routes:
            if route.decide is not None:
                _, _, things, _, verb = route.path.split("/")
                way = _Way(route.decide, route.decide_now, route.at_hand)
                self._ways[things, verb] = way

    def errand(
        self, message: object, payload: StreamReader, socket: Socket, known: Manners
    ) -> Errand | None:
        """The request if it can take the short way: nothing about it is unusual, or refused."""
        if not isinstance(message, RawRequestMessage) or not payload.is_eof():
            return None
        path = _PATH.fullmatch(message.path)
        is_usual = message.method == hdrs.METH_POST and message.version == HttpVersion11
        if path is None or not is_usual:
            return None
        things, target, verb = path.groups()
        way = self._way_to(things, verb, target)
        manner = known.get(message.raw_headers) or self._manner_of(message, socket, known)
        if way is None or manner is None or payload.total_bytes > self._most_bytes:
            return None
        head = _Head(manner, message, payload.total_bytes)
        content = payload.read_nowait()
        asked = _AskedAtOnce(target, message.path, message.headers, content, manner.reads)
        return Errand(head, asked, way)

    def errand_like(self, data: bytes, known: Heads) -> Errand | None:
        """The request that is the whole of `data`, if all but its first line was parsed before.

        Nothing is read here that could be read in two ways: either the bytes are the same that
        aiohttp's parser has understood, or it is asked again.
        """
        top, _, content = data.partition(_END_OF_HEAD)
        first, _, rest = top.partition(_END_OF_LINE)
        head, line = known.get(rest), _LINE.fullmatch(first)
        if head is None or line is None or len(content) != head.length:
            return None
        path, things, target, verb = (part.decode() for part in line.groups())
        way = self._way_to(things, verb, target)
        if way is None:
            return None
        asked = _AskedAtOnce(target, path, head.message.headers, content, head.manner.reads)
        return Errand(head, asked, way)

    def _way_to(self, things: str, verb: str, target: str) -> _Way | None:
        way = self._ways.get((things, verb))
        return way if way is not None and way.at_hand(target) else None

    def _manner_of(
        self, message: RawRequestMessage, socket: Socket, known: Manners
    ) -> _Manner | None:
        manner = _manner_of(message)
        if manner is None or not self._lets_in(message, socket):
            return None
        if KEY_HEADER not in message.headers:  # with one, no two requests are the same
            if len(known) >= _MANNERS_KNOWN:
                known.clear()
            known[message.raw_headers] = manner
        return manner

    def _lets_in(self, message: RawRequestMessage, socket: Socket) -> bool:
        try:
            self._guard.check_head(message.path, message.headers, socket)
        except Problem:
            return False
        return True


def holds(data: bytes, payload: StreamReader) -> bool:
    """Whether a request with that body is the whole of `data`."""
    head = data.find(_END_OF_HEAD) + len(_END_OF_HEAD)
    return payload.is_eof() and head + payload.total_bytes == len(data)


def remember(errand: Errand, data: bytes, known: Heads) -> None:
    """Notes the head of a request that is the whole of `data`; not one that names itself."""
    top, _, _ = data.partition(_END_OF_HEAD)
    first, _, rest = top.partition(_END_OF_LINE)
    # aiohttp skips empty lines before the first one and takes others that end in less than CRLF.
    if KEY_HEADER in errand.asked.headers or _LINE.fullmatch(first) is None:
        return
    if len(known) >= _MANNERS_KNOWN:
        known.clear()
    known[rest] = errand.head


EXPRESS: Final = web.AppKey("express", Express)


def _manner_of(message: RawRequestMessage) -> _Manner | None:
    headers = message.headers
    if (
        message.should_close
        or message.chunked
        or message.upgrade
        or any(name in headers for name in _UNUSUAL)
    ):
        return None
    form = headers.get(hdrs.CONTENT_TYPE)
    reads = PLAIN_TYPES.get(form or "")
    answers = accepted_media(",".join(headers.getall(hdrs.ACCEPT, ())))
    is_bare = form is None and headers.get(hdrs.CONTENT_LENGTH, "0") == "0"
    if answers is None or (reads is None and not is_bare):
        return None
    return _Manner(reads, answers)
