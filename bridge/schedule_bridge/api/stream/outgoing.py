"""What a peer is told: frames in order, those that came together written in one piece."""

from __future__ import annotations

import asyncio
from collections import deque
from struct import pack
from time import monotonic
from typing import TYPE_CHECKING, Final

from aiohttp import WSMsgType

from schedule_bridge.wire.codec import Media, encode

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from schedule_bridge.api.stream.frames import Frame

FRAME_KINDS: Final = {Media.JSON: WSMsgType.TEXT, Media.MSGPACK: WSMsgType.BINARY}
_PIECE_BYTES: Final = 64 * 1024
_LAST: Final = 0x80
"""Every frame of ours is whole: the last of its message (RFC 6455, 5.2)."""
_SHORT: Final = 126
_MEDIUM: Final = 1 << 16


class Outgoing:
    """A queue of frames towards one peer.

    A system call a frame would cost as much as the frame; a commit makes hundreds.
    """

    def __init__(self, media: Media, write: Callable[[bytearray], Awaitable[None]]) -> None:
        """`write` hands bytes over, and waits until more are taken."""
        self.writing_since: float | None = None
        """Since when a piece is on its way, by the monotonic clock; None while none is."""
        self._media = media
        self._write = write
        self._frames: deque[Frame] = deque()
        self._news = asyncio.Event()
        self._ended = False

    def __len__(self) -> int:
        """How many frames have yet to be written."""
        return len(self._frames)

    def put(self, frame: Frame) -> None:
        """Queues a frame."""
        self._frames.append(frame)
        self._news.set()

    def end(self) -> None:
        """Nothing more will come."""
        self._ended = True
        self._news.set()

    async def write(self) -> None:
        """Writes what is queued until nothing more will come."""
        while self._frames or not self._ended:
            await self._news.wait()
            self._news.clear()
            while self._frames:
                self.writing_since = monotonic()
                await self._write(self._piece())
                self.writing_since = None

    def _piece(self) -> bytearray:
        kind = FRAME_KINDS[self._media]
        piece = bytearray()
        while self._frames and len(piece) < _PIECE_BYTES:
            data = encode(self._media, self._frames.popleft())
            piece += _header(kind, len(data))
            piece += data
        return piece


def _header(kind: WSMsgType, size: int) -> bytes:
    """What goes before a frame of a server, which masks nothing (RFC 6455, 5.2)."""
    if size < _SHORT:
        return pack("!BB", _LAST | kind, size)
    if size < _MEDIUM:
        return pack("!BBH", _LAST | kind, _SHORT, size)
    return pack("!BBQ", _LAST | kind, _SHORT + 1, size)
