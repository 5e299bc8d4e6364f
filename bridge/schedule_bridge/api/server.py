"""The listening socket and the application behind it."""

import asyncio
from collections.abc import Iterable
from typing import Final

from aiohttp import web

from schedule_bridge.api.answering import answering_problems
from schedule_bridge.api.connection import Connection
from schedule_bridge.api.door import guarded
from schedule_bridge.api.express import EXPRESS, Express
from schedule_bridge.api.guard import GUARD, Guard
from schedule_bridge.api.limits import LIMITS, Limits
from schedule_bridge.api.route import Route, register

_DEFAULTS: Final = Limits()


def make_application(
    guard: Guard, routes: Iterable[Route], limits: Limits = _DEFAULTS
) -> web.Application:
    """An application with its routes, for `serve`."""
    routes = list(routes)
    app = web.Application(client_max_size=limits.body_bytes)
    app[EXPRESS] = Express(guard, routes, limits)
    register(app, routes)
    app[LIMITS] = limits
    app[GUARD] = guard
    return app


async def serve(app: web.Application, host: str, port: int) -> web.AppRunner:
    """Starts to listen; port 0 takes a free one, `runner.addresses` says which.

    The caller ends it with `await runner.cleanup()`. Raises OSError if the address is taken.
    """
    limits = app[LIMITS]
    runner = web.AppRunner(app, shutdown_timeout=limits.shutdown_seconds)
    await runner.setup()
    try:
        await _BoundedSite(runner, host, port, app).start()
    except OSError:
        await runner.cleanup()
        raise
    return runner


class _BoundedSite(web.BaseSite):
    """A listening socket whose connections keep to the limits, behind the guard.

    Problems are answered here and not by a middleware, which costs more than the guard.
    """

    def __init__(self, runner: web.AppRunner, host: str, port: int, app: web.Application) -> None:
        super().__init__(runner)
        self._address = (host, port)
        self._limits = app[LIMITS]
        self._guard = app[GUARD]
        self._express = app[EXPRESS]

    @property
    def name(self) -> str:
        """Where it was told to listen."""
        host, port = self._address
        return f"http://{host}:{port}"

    async def start(self) -> None:
        """Binds the address and begins to accept."""
        await super().start()
        server = self._runner.server
        if server is None:
            raise RuntimeError("the runner has not been set up")
        server.request_handler = guarded(self._guard, answering_problems(server.request_handler))
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: Connection(server, self._limits, self._express), *self._address
        )
