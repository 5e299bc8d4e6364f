"""What one bridge reaches the database by: it can be cut, and it can hold back what crosses it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

if TYPE_CHECKING:
    from pathlib import Path

_SOCKET = ".s.PGSQL.5432"


class Cable:
    """A socket in a folder of its own that leads to the one of the server."""

    def __init__(self, url: str, folder: Path) -> None:
        parts = urlsplit(url)
        (host,) = parse_qs(parts.query)["host"]
        self.url = url.replace(parts.query, f"host={quote(str(folder))}")
        self._path, self._to = folder / _SOCKET, f"{host}/{_SOCKET}"
        self._ways: set[asyncio.Task[None]] = set()
        self._is_cut = False
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._server: asyncio.Server

    async def plug_in(self) -> None:
        self._server = await asyncio.start_unix_server(self._join, self._path)

    async def pull_out(self) -> None:
        """Nothing of it is left, nor of what it has held back."""
        self._server.close()
        self.cut()
        await asyncio.gather(*self._ways, return_exceptions=True)

    def cut(self) -> None:
        """Both ends of every connection are told, and none is made."""
        self._is_cut = True
        for way in self._ways:
            way.cancel()

    def hold_back(self) -> None:
        """Nobody is told: what was sent comes late, when it is mended."""
        self._flowing.clear()

    def mend(self) -> None:
        self._is_cut = False
        self._flowing.set()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.close()
            return
        try:
            there, back = await asyncio.open_unix_connection(self._to)
        except OSError:  # the server is being started again
            writer.close()
            return
        for way in (self._carry(reader, back), self._carry(there, writer)):
            task = asyncio.create_task(way)
            self._ways.add(task)
            task.add_done_callback(self._ways.discard)

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError):
                while data := await source.read(65536):
                    await self._flowing.wait()
                    sink.write(data)
                    await sink.drain()
            await self._flowing.wait()
        finally:
            sink.close()
