"""aiohttp WebSocket echo: `python -m bench.contestants.ws_echo PORT_FILE [FILE]`.

With a file each frame is written to SQLite (`synchronous=FULL`) before it comes back; what came
while one commit was under way goes into the next.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Callable


class _GroupCommits:
    """Writes what has been gathered, commit after commit."""

    def __init__(self, file: str) -> None:
        self._writing = ThreadPoolExecutor(1)
        self._connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("CREATE TABLE frames (number INTEGER PRIMARY KEY, frame BLOB)")

    async def write(self, frames: list[bytes]) -> None:
        """Makes frames durable in one commit."""
        await asyncio.get_running_loop().run_in_executor(self._writing, self._write, frames)

    def _write(self, frames: list[bytes]) -> None:
        self._connection.execute("BEGIN")
        rows = ((frame,) for frame in frames)
        self._connection.executemany("INSERT INTO frames (frame) VALUES (?)", rows)
        self._connection.execute("COMMIT")


async def _pump(
    socket: web.WebSocketResponse, gathered: asyncio.Queue[bytes], commits: _GroupCommits
) -> None:
    while True:
        frames = [await gathered.get()]
        while not gathered.empty():
            frames.append(gathered.get_nowait())
        await commits.write(frames)
        for frame in frames:
            await socket.send_bytes(frame)


def _application(commits: _GroupCommits | None) -> web.Application:
    async def handle(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        gathered: asyncio.Queue[bytes] = asyncio.Queue()
        pump = asyncio.create_task(_pump(socket, gathered, commits)) if commits else None
        async for message in socket:
            if pump is None:
                await socket.send_bytes(message.data)
            else:
                gathered.put_nowait(message.data)
        if pump is not None:
            pump.cancel()
        return socket

    app = web.Application()
    app.router.add_get("/", handle)
    return app


async def _serve(app: web.Application, tell_port: Callable[[str], object]) -> None:
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    tell_port(str(runner.addresses[0][1]))
    await asyncio.Event().wait()


def main(port_file: str, file: str | None = None) -> None:
    """Serves until it is killed."""
    app = _application(_GroupCommits(file) if file is not None else None)
    asyncio.run(_serve(app, Path(port_file).write_text))


if __name__ == "__main__":
    main(*sys.argv[1:])
