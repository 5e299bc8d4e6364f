"""A client of the stream that checks every frame against its schema."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgpack  # type: ignore[import-untyped]  # it carries no types
from aiohttp import ClientWebSocketResponse, WSMsgType

from schedule_bridge.wire.schemas import validate

if TYPE_CHECKING:
    from service.caller import Json

_PATIENCE_SECONDS = 10
_ASIDE = ("decision", "news")


@dataclass(frozen=True, slots=True)
class WebSocketEnd:
    """How the bridge ended a connection."""

    code: int | None
    why: str


class Streamer:
    """One connection. `next` leaves decisions and news aside unless it is asked for them."""

    def __init__(self, socket: ClientWebSocketResponse, form: str) -> None:
        self.socket = socket
        self._form = form
        self._last_id = 0
        self._early: deque[Json] = deque()
        self.seen: list[Json] = []

    async def say_hello(self, protocol: int = 1) -> None:
        await self.send({"type": "hello", "protocol": protocol, "version": "0"})
        hello = await self.receive()
        assert (hello["type"], hello["protocol"]) == ("hello", 1)

    async def send(self, frame: Json) -> None:
        if self._form == "json":
            await self.socket.send_str(json.dumps(frame))
        else:
            await self.socket.send_bytes(msgpack.packb(frame, datetime=True))

    async def receive(self) -> Json:
        """The next frame of any type."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            message = await self.socket.receive()
        wanted = WSMsgType.TEXT if self._form == "json" else WSMsgType.BINARY
        assert message.type is wanted, (message, self.socket.close_code)
        frame = (
            json.loads(message.data)
            if self._form == "json"
            else msgpack.unpackb(message.data, timestamp=3)
        )
        assert validate("frame-from-bridge", frame) == [], frame
        self.seen.append(frame)
        return frame

    async def next(self, kind: str | None = None) -> Json:
        """The next frame of that type, or the next one that is neither decision nor news."""
        while True:
            frame = self._early.popleft() if self._early else await self.receive()
            if frame["type"] == kind or (kind is None and frame["type"] not in _ASIDE):
                return frame

    async def ask(self, kind: str, **members: Any) -> Json:
        """Sends a frame that is answered; the answer. What comes before it is kept for `next`."""
        number = await self.tell(kind, **members)
        while (frame := await self.receive())["type"] != "reply":
            self._early.append(frame)
        assert frame["re"] == number
        return frame

    async def tell(self, kind: str, **members: Any) -> int:
        """Sends a frame that is answered; its number."""
        self._last_id += 1
        await self.send({"type": kind, "id": self._last_id, **members})
        return self._last_id

    async def here(self, *triggers: Json, runs: tuple[str, ...] = ()) -> Json:
        return await self.ask("here", triggers=list(triggers), runs=list(runs))

    async def away(self) -> None:
        await self.send({"type": "away"})

    async def claim(self, execution_id: str) -> Json:
        return await self.ask("started", executionId=execution_id)

    async def finish(self, execution_id: str, outcome: str = "completed", **more: Any) -> Json:
        return await self.ask("finished", executionId=execution_id, outcome=outcome, **more)

    async def end(self) -> WebSocketEnd:
        """Waits until the bridge closes the connection."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while True:
                message = await self.socket.receive()
                if message.type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.ERROR):
                    return WebSocketEnd(self.socket.close_code, str(message.extra or ""))

    async def hang_up(self) -> None:
        await self.socket.close()
