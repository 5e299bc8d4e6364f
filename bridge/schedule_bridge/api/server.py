"""The listening socket and the application behind it, with every bound of the transport set."""

import asyncio
import logging
from typing import Final

from aiohttp import web
from aiohttp.http import HttpProcessingError

from schedule_bridge.api.answering import answer_problems
from schedule_bridge.api.guard import Guard, guarding
from schedule_bridge.api.limits import LIMITS, Limits

_BACKLOG: Final = 128

_logger = logging.getLogger(__name__)


def make_application(guard: Guard, limits: Limits = Limits()) -> web.Application:  # noqa: B008 # frozen
    """An application without routes: problems are answered, the guard stands before all."""
    app = web.Application(
        client_max_size=limits.body_bytes, middlewares=[answer_problems, guarding(guard)]
    )
    app[LIMITS] = limits
    return app


async def serve(app: web.Application, host: str, port: int) -> web.AppRunner:
    """Starts to listen; port 0 takes a free one, `runner.addresses` says which.

    The caller ends it with `await runner.cleanup()`. Raises OSError if the address is taken.
    """
    limits = app[LIMITS]
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=_logger,
        auto_decompress=False,
        keepalive_timeout=limits.keep_alive,
        lingering_time=limits.unread_body_seconds,
        max_line_size=limits.header_line_bytes,
        max_field_size=limits.header_line_bytes,
        max_headers=limits.headers,
        shutdown_timeout=limits.shutdown_seconds,
    )
    await runner.setup()
    try:
        await _CappedSite(runner, host, port, limits.connections).start()
    except OSError:
        await runner.cleanup()
        raise
    return runner


class _CappedSite(web.BaseSite):
    """A listening socket that closes connections beyond a number at once.

    Connections that are accepted in one go are counted from the next go on, so the number may be
    exceeded by the backlog.
    """

    def __init__(self, runner: web.AppRunner, host: str, port: int, most: int) -> None:
        super().__init__(runner, backlog=_BACKLOG)
        self._address = (host, port)
        self._most = most

    @property
    def name(self) -> str:
        """Where it listens, for people."""
        host, port = self._address
        return f"http://{host}:{port}"

    async def start(self) -> None:
        """Binds the address and begins to accept."""
        await super().start()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            self._next_connection, *self._address, backlog=self._backlog
        )

    def _next_connection(self) -> asyncio.BaseProtocol:
        server = self._runner.server
        if server is None or len(server.connections) >= self._most:
            return _TurnedAway()
        return server()


class _TurnedAway(asyncio.Protocol):
    """What a connection meets for which there is no room."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


class _WithoutRequestBytes(logging.Filter):
    """Drops what aiohttp logs of malformed requests.

    They are answered with 400, and the text of the error repeats bytes of the request, which may
    hold a token.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, HttpProcessingError)


_logger.addFilter(_WithoutRequestBytes())
