"""A connection to a database that can be cut, held up, and counted."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_CHUNK = 64 * 1024
_SYNC = b"S"


class Wire:
    """Passes on bytes between a client and the server; each way may be stopped.

    `syncs` counts how often the client has asked and then waited: each ends with a Sync.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        (folder,) = parse_qs(parts.query)["host"]
        self._socket = f"{folder}/.s.PGSQL.5432"
        self._path = parts.path
        self._connections: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flowing = {True: asyncio.Event(), False: asyncio.Event()}
        self._refusing = False
        self.syncs = 0
        self.url = ""
        self.mend()

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"postgresql://postgres@127.0.0.1:{port}{self._path}?sslmode=disable"

    async def close(self) -> None:
        self._server.close()
        self.cut()
        self.mend()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def cut(self) -> None:
        """Breaks every connection, and refuses new ones until it is mended."""
        self._refusing = True
        for writer in self._connections:
            writer.transport.abort()

    def hold_up(self, *, answers_only: bool = False) -> None:
        """Nothing arrives any more, and nobody is told."""
        self._flowing[False].clear()
        if not answers_only:
            self._flowing[True].clear()

    def mend(self) -> None:
        """Lets everything through again."""
        self._refusing = False
        for flowing in self._flowing.values():
            flowing.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self._refusing:
            writer.transport.abort()
            return
        answers, asks = await asyncio.open_unix_connection(self._socket)
        mine = {writer, asks}
        self._connections |= mine
        try:
            await asyncio.gather(
                self._pass(reader, asks, asking=True), self._pass(answers, writer, asking=False)
            )
        finally:
            self._connections -= mine
            for each in mine:
                each.transport.abort()

    async def _pass(
        self, source: asyncio.StreamReader, to: asyncio.StreamWriter, *, asking: bool
    ) -> None:
        counted = Frames() if asking else None
        with suppress(OSError):
            while piece := await source.read(_CHUNK):
                await self._flowing[asking].wait()
                if counted is not None:
                    self.syncs += counted.syncs_in(piece)
                to.write(piece)
                await to.drain()
            to.write_eof()


class Frames:
    """Finds the messages of a client in what it sends."""

    def __init__(self) -> None:
        self._left = b""
        self._has_begun = False

    def syncs_in(self, piece: bytes) -> int:
        self._left += piece
        found = 0
        while (end := self._end()) and len(self._left) >= end:
            found += self._has_begun and self._left[:1] == _SYNC
            self._has_begun = True  # the first message is without a kind
            self._left = self._left[end:]
        return found

    def _end(self) -> int:
        """Where the message ends that is at hand; 0 if even that is not known yet."""
        kind = 1 if self._has_begun else 0
        if len(self._left) < kind + 4:
            return 0
        return kind + int.from_bytes(self._left[kind : kind + 4])


@asynccontextmanager
async def wire_to(url: str) -> AsyncIterator[Wire]:
    wire = Wire(url)
    await wire.open()
    try:
        yield wire
    finally:
        await wire.close()
