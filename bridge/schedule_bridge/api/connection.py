"""One connection: how many there may be, and what a peer hears that does not speak HTTP.

Whoever has no token can hold up nobody who has it: where there is no room for a new connection,
the one goes that has been here longest without showing the token, whatever it is doing.
"""

import asyncio
import logging
from typing import Final

from aiohttp import web
from aiohttp.http import HttpProcessingError

from schedule_bridge.api.answering import problem_response
from schedule_bridge.api.express import Errand, Express, Heads, Manners, holds, remember
from schedule_bridge.api.limits import Limits
from schedule_bridge.api.problems import BadRequest, Unexpected
from schedule_bridge.engine import OwnedElsewhereError
from schedule_bridge.wire.codec import Media

_logger: Final = logging.getLogger(__name__)


class Connection(web.RequestHandler):
    """aiohttp's connection, with every bound set and its own errors told as problems."""

    __slots__ = (
        "_errand",
        "_express",
        "_heads",
        "_in_step",
        "_known",
        "_most",
        "_server",
        "_task",
        "trusted",
    )

    def __init__(self, server: web.Server, limits: Limits, express: Express) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            access_log=None,  # type: ignore[arg-type] # what aiohttp takes for "none"
            logger=_logger,
            auto_decompress=False,
            keepalive_timeout=limits.keep_alive,
            lingering_time=limits.unread_body_seconds,
            max_line_size=limits.header_line_bytes,
            max_field_size=limits.header_line_bytes,
            max_headers=limits.headers,
        )
        self._server = server
        self._most = limits.connections
        self._express = express
        self._known: Manners = {}
        self._heads: Heads = {}
        self._in_step = True
        """Whether each piece that came was one whole request, so that the next begins one."""
        self._errand: Errand | None = None
        self._task: asyncio.Task[None] | None = None
        self.trusted = False
        """Whether the peer has ever shown the token."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins to serve the peer, or closes at once where there is no room to be made."""
        if self._make_room():
            super().connection_made(transport)
        else:
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Takes in bytes; a whole request that decides goes the short way, if it can."""
        errand = self._errand_like(data)
        if errand is not None:
            self._begin(errand)
            return
        # aiohttp's own task is woken below, where what came is for it.
        waiter, self._waiter = self._waiter, None
        try:
            super().data_received(data)
        finally:
            self._waiter = waiter
        self._in_step = self._in_step and self._is_one(data)
        begun = self._go_on()
        if self._in_step and begun is not None:
            remember(begun, data, self._heads)

    def _errand_like(self, data: bytes) -> Errand | None:
        """What was asked, if it begins where a request ends and is like one that was parsed."""
        waiter = self._waiter
        is_idle = waiter is not None and not (waiter.done() or self._messages or self._errand)
        if not (self._in_step and is_idle) or self.writing_paused or self._close:
            return None
        return self._express.errand_like(data, self._heads)

    def _is_one(self, data: bytes) -> bool:
        """Whether those bytes are one whole request, which is next in line."""
        return len(self._messages) == 1 and holds(data, self._messages[0][1])

    def resume_reading(self, resume_parser: bool = True) -> None:  # aiohttp's
        """Reads on, if that was paused; aiohttp parses anew after each body that was read."""
        if self._reading_paused:
            super().resume_reading(resume_parser)

    def _go_on(self) -> Errand | None:
        """Has the next request served, unless one is being served now; it, if by the short way."""
        waiter = self._waiter
        if not self._messages or waiter is None or waiter.done() or self._errand:
            return None
        errand = self._next_errand()
        if errand is None:
            waiter.set_result(None)
        else:
            self._begin(errand)
        return errand

    def _begin(self, errand: Errand) -> None:
        self._request_in_progress = self.trusted = True
        self._errand = errand
        if not errand.begin(self._answer):
            self._task = asyncio.create_task(self._run(errand))

    def _next_errand(self) -> Errand | None:
        """The one request that has come, if it can take the short way; else all wait in line."""
        if len(self._messages) > 1 or self.writing_paused or self._parser is None:
            return None
        errand = self._express.errand(*self._messages[0], self.sockname, self._known)
        if errand is not None:
            self._messages.popleft()
            self._parser.message_consumed()
        return errand

    async def _run(self, errand: Errand) -> None:
        try:
            self._answer(await errand.run())
        except OwnedElsewhereError:
            self._go_the_long_way(errand)

    def _answer(self, answer: bytes) -> None:
        if self.transport is not None:
            self.transport.write(answer)
        self._errand_is_over()

    def _go_the_long_way(self, errand: Errand) -> None:
        """Leaves a request to aiohttp after all, since only one of aiohttp can be led elsewhere."""
        waiter = self._waiter
        if waiter is None or waiter.done():  # the peer is gone
            self._errand_is_over()
            return
        self._errand = None
        self._messages.appendleft((errand.message, errand.asked.unread(self)))
        waiter.set_result(None)

    def _errand_is_over(self) -> None:
        """What aiohttp's own task does after an answer."""
        self._errand = None
        self._request_in_progress = False
        if self._handler_waiter is not None:
            self._handler_waiter.set_result(None)
        if self._close and self.transport is not None:
            self.transport.close()
        self._next_keepalive_close_time = self._loop.time() + self.keepalive_timeout
        if self._keepalive_handle is None and self.transport is not None:
            self._keepalive_handle = self._loop.call_at(
                self._next_keepalive_close_time, self._process_keepalive
            )
        self._go_on()

    def _process_keepalive(self) -> None:
        if self._errand is None:
            super()._process_keepalive()
        else:  # the peer waits for us
            self._keepalive_handle = None

    def _make_room(self) -> bool:
        open_ones = [each for each in self._server.connections if each.transport is not None]
        if len(open_ones) < self._most:
            return True
        stranger = next((each for each in open_ones if not _is_trusted(each)), None)
        if stranger is None:
            return False
        _cut(stranger)
        return True

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,  # noqa: ARG002 # the signature is aiohttp's
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 # repeats bytes of the request
    ) -> web.StreamResponse:
        """What is answered where no middleware could: 400 for what is not HTTP, else 500.

        A malformed request is not logged: the text of its error repeats bytes of it, which may
        hold a token.
        """
        if request.writer.output_size > 0 or isinstance(exc, ConnectionError):
            raise ConnectionAbortedError
        if isinstance(exc, HttpProcessingError):
            response = problem_response(BadRequest("This is not well-formed HTTP."), Media.JSON)
        else:
            _logger.error("A connection failed", exc_info=exc)
            response = problem_response(Unexpected("The bridge's log says more."), Media.JSON)
        response.force_close()
        return response


def _is_trusted(connection: web.RequestHandler) -> bool:
    return isinstance(connection, Connection) and connection.trusted


def _cut(connection: web.RequestHandler) -> None:
    """Ends a connection at once: closing would wait for a peer that does not read."""
    transport = connection.transport
    connection.force_close()
    if isinstance(transport, asyncio.Transport):
        transport.abort()
