"""A client's stream led through to the bridge that decides for its workspace, frame by frame."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeAlias

from aiohttp import (
    ClientError,
    ClientWebSocketResponse,
    ClientWSTimeout,
    WSCloseCode,
    WSMsgType,
    WSServerHandshakeError,
    hdrs,
    web,
)

from schedule_bridge.api.limits import LIMITS
from schedule_bridge.api.peers import away
from schedule_bridge.api.problems import HttpProblem
from schedule_bridge.engine import PeerAwayError

if TYPE_CHECKING:
    from schedule_bridge.api.limits import Limits
    from schedule_bridge.api.peers import BridgePeers

Socket: TypeAlias = web.WebSocketResponse | ClientWebSocketResponse

_GOODBYES_SECONDS: Final = 1
"""How long a stop waits for all clients to hear of it: one that stands still never does."""
_NOT_SENT: Final = (None, WSCloseCode.ABNORMAL_CLOSURE)


class Pipes:
    """The streams that are led through here."""

    def __init__(self, peers: BridgePeers) -> None:
        self._peers = peers
        self._clients: set[web.WebSocketResponse] = set()
        self._closed = False

    async def lead(self, request: web.Request, address: str) -> web.WebSocketResponse:
        """Leads one stream through until either side ends it.

        Raises:
            PeerAwayError: the owner cannot be reached, so the client was not answered yet.
        """
        limits = request.app[LIMITS]
        owner = await self._connect(request, address, limits)
        try:
            client = web.WebSocketResponse(
                timeout=limits.goodbye_seconds,
                protocols=(owner.protocol,) if owner.protocol else (),
                autoping=False,
                compress=False,
                max_msg_size=limits.frame_bytes,
            )
            await client.prepare(request)
            if self._closed:
                await _see_off(client)
            else:
                await self._join(client, owner)
        finally:
            await owner.close()
        return client

    async def close(self) -> None:
        """Ends all of them: the clients come back by another bridge, if they hear it in time."""
        self._closed = True
        goodbyes = [asyncio.create_task(_see_off(each)) for each in self._clients]
        if goodbyes:
            await asyncio.wait(goodbyes, timeout=_GOODBYES_SECONDS)

    async def _connect(
        self, request: web.Request, address: str, limits: Limits
    ) -> ClientWebSocketResponse:
        offered = ",".join(request.headers.getall(hdrs.SEC_WEBSOCKET_PROTOCOL, ()))
        url = address + request.raw_path
        try:
            return await self._peers.session.ws_connect(
                url,
                protocols=[name.strip() for name in offered.split(",") if name.strip()],
                headers=self._peers.own_headers,
                autoping=False,
                compress=0,
                max_msg_size=limits.frame_bytes,
                timeout=ClientWSTimeout(ws_close=limits.goodbye_seconds),
            )
        except WSServerHandshakeError as error:
            if error.status < 500:
                raise HttpProblem(
                    error.status, "stream-refused", "The stream is refused."
                ) from None
            raise PeerAwayError(str(error), nothing_done=True) from error
        except (ClientError, TimeoutError, OSError) as error:
            raise away(url, error) from error

    async def _join(self, client: web.WebSocketResponse, owner: ClientWebSocketResponse) -> None:
        self._clients.add(client)
        ways = [
            asyncio.create_task(_carry(client, owner)),
            asyncio.create_task(_carry(owner, client)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._clients.discard(client)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        with suppress(ConnectionError):
            await owner.close(code=_told(client.close_code))
            await client.close(code=_told(owner.close_code))


async def _see_off(client: web.WebSocketResponse) -> None:
    with suppress(ConnectionError):
        await client.close(code=WSCloseCode.GOING_AWAY)


async def _carry(source: Socket, sink: Socket) -> None:
    """Passes on what comes, until the source is closed; pings and pongs are the ends' own."""
    with suppress(ConnectionError):
        while True:
            message = await source.receive()
            match message.type:
                case WSMsgType.TEXT:
                    await sink.send_str(message.data)
                case WSMsgType.BINARY:
                    await sink.send_bytes(message.data)
                case WSMsgType.PING:
                    await sink.ping(message.data)
                case WSMsgType.PONG:
                    await sink.pong(message.data)
                case _:
                    return


def _told(code: int | None) -> int:
    """The code that the other side hears; one that was cut off has none."""
    return WSCloseCode.GOING_AWAY if code is None or code in _NOT_SENT else code
