"""GET /v1/stream: the upgrade, the first frames, who may stay, and the reading loop."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSMsgType, hdrs, web

from schedule_bridge.api.aside import by_size
from schedule_bridge.api.context import PROTOCOL, Bridge, telling_problems
from schedule_bridge.api.limits import LIMITS
from schedule_bridge.api.problems import BadRequest, InvalidQuery
from schedule_bridge.api.query import read_query
from schedule_bridge.api.stream import frames
from schedule_bridge.api.stream.conversation import Conversation
from schedule_bridge.api.stream.link import REPLACED, Speaker, StreamLink
from schedule_bridge.api.stream.outgoing import FRAME_KINDS, Outgoing
from schedule_bridge.core.configuration import DEFAULT_WORKSPACE
from schedule_bridge.core.model import ClientId, WorkspaceId
from schedule_bridge.engine import StoreUnavailableError
from schedule_bridge.wire.codec import Media, decode_frame
from schedule_bridge.wire.faults import WireError
from schedule_bridge.wire.schemas import validate

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp.typedefs import Handler

    from schedule_bridge.engine import Engine

log = logging.getLogger("schedule_bridge.stream")

OTHER_PROTOCOL: Final = 4001
OTHER_SESSION: Final = 4003
BAD_FRAME: Final = 4004
TRY_AGAIN_LATER: Final = 1013
_SUBPROTOCOLS: Final = {
    "schedule-bridge.v1.msgpack": Media.MSGPACK,
    "schedule-bridge.v1.json": Media.JSON,
}


class _GoodbyeError(Exception):
    """The connection ends, with a code that says why."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


def stream_handler(bridge: Bridge) -> Handler:
    """The handler of the stream's route."""

    async def handle(request: web.Request) -> web.StreamResponse:
        speaker = _speaker_of(request)
        with telling_problems():
            engine = await bridge.estate.of_workspace(speaker.workspace_id)
        link, socket = await _upgrade(request, engine, speaker)
        pump = [asyncio.create_task(link.write()), asyncio.create_task(link.watch())]
        try:
            with bridge.links.holding(link):
                await _converse(bridge, engine, link, socket)
        except _GoodbyeError as goodbye:
            log.info("%s", goodbye, extra={"action": "stream", "client": link.client_id})
            await socket.close(code=goodbye.code, message=str(goodbye).encode()[:120])
        finally:
            for task in pump:
                task.cancel()
            await engine.leave(link, disconnected=True)
        return socket

    return handle


def _speaker_of(request: web.Request) -> Speaker:
    query = read_query(request, ("clientId", "sessionId", "workspaceId"))
    for name in ("clientId", "sessionId"):
        if name not in query:
            raise InvalidQuery(f"{name} is needed.")
    return Speaker(
        ClientId(query["clientId"]),
        query["sessionId"],
        WorkspaceId(query.get("workspaceId", DEFAULT_WORKSPACE)),
    )


async def _upgrade(
    request: web.Request, engine: Engine, speaker: Speaker
) -> tuple[StreamLink, web.WebSocketResponse]:
    media = _agreed_media(request)
    limits = request.app[LIMITS]
    socket = web.WebSocketResponse(
        timeout=limits.goodbye_seconds,
        protocols=tuple(_SUBPROTOCOLS),
        autoping=False,
        compress=False,
        max_msg_size=limits.frame_bytes,
    )
    await socket.prepare(request)
    transport = request.transport
    if transport is None:
        raise ConnectionResetError("the peer is gone")
    outgoing = Outgoing(media, _writer_of(request, socket, transport))
    return StreamLink(socket, transport, outgoing, engine, limits, media, speaker), socket


def _writer_of(
    request: web.Request, socket: web.WebSocketResponse, transport: asyncio.Transport
) -> Callable[[bytearray], Awaitable[None]]:
    """Writes frames beside aiohttp's writer, which takes them one by one; nothing after a close."""

    async def write(piece: bytearray) -> None:
        if socket.closed or transport.is_closing():
            raise ConnectionResetError("the connection is closing")
        transport.write(piece)
        await request.writer.drain()

    return write


def _agreed_media(request: web.Request) -> Media:
    """The form of the frames: that of the first subprotocol that is spoken here; JSON without."""
    offered = ",".join(request.headers.getall(hdrs.SEC_WEBSOCKET_PROTOCOL, ())).split(",")
    names = [name.strip() for name in offered if name.strip()]
    spoken = [_SUBPROTOCOLS[name] for name in names if name in _SUBPROTOCOLS]
    if names and not spoken:
        raise BadRequest(f"The stream speaks {' and '.join(_SUBPROTOCOLS)}.")
    return spoken[0] if spoken else Media.JSON


async def _converse(
    bridge: Bridge, engine: Engine, link: StreamLink, socket: web.WebSocketResponse
) -> None:
    # Before anything else: a client that is sent away must know by which protocol.
    await link.greet(frames.hello(bridge.version))
    first = await _first_frame(link, socket)
    if first is None:
        return
    if first["type"] != "hello":
        raise _GoodbyeError(BAD_FRAME, "The first frame is hello.")
    if first["protocol"] != PROTOCOL:
        raise _GoodbyeError(OTHER_PROTOCOL, f"This bridge speaks protocol {PROTOCOL}.")
    await _take_place(engine, link)
    conversation = Conversation(bridge.estate, engine, link)
    try:
        while (frame := await _receive(link, socket)) is not None:
            await conversation.hear(frame)
    finally:
        await conversation.end()


async def _first_frame(link: StreamLink, socket: web.WebSocketResponse) -> dict[str, Any] | None:
    try:
        async with asyncio.timeout(link.limits.hello_seconds):
            return await _receive(link, socket)
    except TimeoutError:
        raise _GoodbyeError(BAD_FRAME, "No hello came.") from None


async def _take_place(engine: Engine, link: StreamLink) -> None:
    """The newest connection of a session counts; a second live session is a copied directory."""
    presence = engine.presence
    while isinstance(other := presence.link_of(link.client_id), StreamLink):
        same = other.session_id == link.session_id
        if not same and await other.answers_a_ping(link.limits.takeover_ping_seconds):
            raise _GoodbyeError(
                OTHER_SESSION, "Another live session has this clientId: was a directory copied?"
            )
        if presence.link_of(link.client_id) is other:  # else somebody was faster: judge anew
            other.shut(REPLACED)
            break
    try:
        await engine.connect(link)
    except StoreUnavailableError as error:
        raise _GoodbyeError(TRY_AGAIN_LATER, str(error)) from None


async def _receive(link: StreamLink, socket: web.WebSocketResponse) -> dict[str, Any] | None:
    """The next frame, or None when the connection is over."""
    while True:
        message = await socket.receive()
        match message.type:
            case WSMsgType.PING:
                await socket.pong(message.data)
            case WSMsgType.PONG:
                link.heard_pong()
            case WSMsgType.TEXT | WSMsgType.BINARY:
                return await by_size(len(message.data), _read, link, message.type, message.data)
            case _:
                return None


def _read(link: StreamLink, kind: WSMsgType, data: str | bytes) -> dict[str, Any]:
    if kind is not FRAME_KINDS[link.media]:
        raise _GoodbyeError(BAD_FRAME, "The frame is not in the form that was agreed.")
    try:
        value = decode_frame(link.media, data.encode() if isinstance(data, str) else data)
    except WireError as error:
        raise _GoodbyeError(BAD_FRAME, error.sentence) from None
    faults = validate("frame-from-client", value)
    if faults or not isinstance(value, dict):
        raise _GoodbyeError(BAD_FRAME, f"{faults[0].pointer}: {faults[0].message}")
    return value
