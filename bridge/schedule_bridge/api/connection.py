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
from schedule_bridge.api.limits import Limits
from schedule_bridge.api.problems import BadRequest, Unexpected
from schedule_bridge.wire.codec import Media

_logger: Final = logging.getLogger(__name__)


class Connection(web.RequestHandler):
    """aiohttp's connection, with every bound set and its own errors told as problems."""

    __slots__ = ("_most", "_server", "trusted")

    def __init__(self, server: web.Server, limits: Limits) -> None:
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
        self.trusted = False
        """Whether the peer has ever shown the token."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins to serve the peer, or closes at once where there is no room to be made."""
        if self._make_room():
            super().connection_made(transport)
        else:
            transport.close()

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
