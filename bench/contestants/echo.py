"""A bare aiohttp handler that answers with the body that it got.

`python -m bench.contestants.echo PORT_FILE [--fsync FILE]`: with a file, a small append to it is
made durable before each answer.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp.typedefs import Handler

_RECORD = b"x" * 64


async def _echo(request: web.Request) -> web.Response:
    return web.Response(body=await request.read(), content_type="application/json")


def _durable_echo(file: str) -> web.Application:
    descriptor = os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    async def handle(request: web.Request) -> web.Response:
        body = await request.read()
        os.write(descriptor, _RECORD)
        os.fsync(descriptor)  # on the loop: nothing is quicker for one request at a time
        return web.Response(body=body, content_type="application/json")

    return _application(handle)


def _application(handle: Handler) -> web.Application:
    app = web.Application()
    app.router.add_post("/{rest:.*}", handle)
    return app


async def _serve(app: web.Application, tell_port: Callable[[str], object]) -> None:
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    tell_port(str(runner.addresses[0][1]))
    await asyncio.Event().wait()


def main(port_file: str, option: str = "", file: str = "") -> None:
    """Serves until it is killed."""
    app = _durable_echo(file) if option == "--fsync" else _application(_echo)
    asyncio.run(_serve(app, Path(port_file).write_text))


if __name__ == "__main__":
    main(*sys.argv[1:])
