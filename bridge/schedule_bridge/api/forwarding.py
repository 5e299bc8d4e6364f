"""Any address will do: what another bridge decides is asked of it, in one hop."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from aiohttp import hdrs, web

from schedule_bridge.api.naming import KEY_HEADER
from schedule_bridge.api.negotiation import read_bytes
from schedule_bridge.api.peers import HOP, NOT_THE_OWNER, BridgePeers
from schedule_bridge.api.pipe import Pipes
from schedule_bridge.api.problems import Problem
from schedule_bridge.engine import OwnedElsewhereError, PeerAwayError

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp.typedefs import Handler

    from schedule_bridge.core.model import WorkspaceId

PATIENCE_SECONDS: Final = 5.0
"""How long a request waits for an owner that does not answer; a lease may take longer to end."""
KINDS: Final = ("request", "stream")
_PAUSE_SECONDS: Final = 0.2
_PASSED_ON: Final = (
    *(hdrs.ACCEPT, hdrs.CONTENT_TYPE, hdrs.CONTENT_ENCODING),
    KEY_HEADER,
)
_PASSED_BACK: Final = (hdrs.CONTENT_TYPE, hdrs.ALLOW, hdrs.RETRY_AFTER)
_REPEATABLE: Final = (hdrs.METH_GET, hdrs.METH_HEAD, hdrs.METH_PUT)
_SOON: Final[dict[str, str]] = {hdrs.RETRY_AFTER: "1"}


class NotTheOwner(Problem):
    """A request that was forwarded here is for yet another bridge; nothing was done."""

    status = 503
    code = NOT_THE_OWNER
    title = "Another bridge decides for this"


class OwnerAway(Problem):
    """The bridge that decides for this cannot be reached."""

    status = 503
    code = "owner-away"
    title = "The bridge that decides for this does not answer"


class Forwarder:
    """Leads requests and streams to the bridge that decides."""

    def __init__(self, peers: BridgePeers, doubt: Callable[[WorkspaceId], None]) -> None:
        """`doubt` is told of a workspace whose owner does not answer for it."""
        self.peers = peers
        self.led: Counter[str] = Counter()
        """How many were led elsewhere, by kind."""
        self._doubt = doubt
        self._pipes = Pipes(peers)

    def over(self, handler: Handler) -> Handler:
        """A handler whose work is another bridge's where that decides."""

        async def handle(request: web.Request) -> web.StreamResponse:
            if HOP in request.headers:
                return await self._decide(request, handler)
            patient_until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
            while True:
                try:
                    return await handler(request)
                except OwnedElsewhereError as elsewhere:
                    answered = await self._try(request, elsewhere, patient_until)
                if answered is not None:
                    return answered
                await asyncio.sleep(_PAUSE_SECONDS)

        return handle

    async def triggers(
        self, elsewhere: OwnedElsewhereError, after: str, limit: int
    ) -> list[dict[str, Any]]:
        """How the first triggers of another bridge's workspace stand."""
        workspace_id = elsewhere.workspace_id
        try:
            return await self.peers.triggers(elsewhere.address, workspace_id, after, limit)
        except PeerAwayError as error:
            self._doubt(workspace_id)
            raise OwnerAway(str(error), headers=_SOON) from None

    async def close(self) -> None:
        """Ends the streams that are led through; requests that came are led on to the end."""
        await self._pipes.close()

    async def _decide(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """What another bridge has sent here is decided here, or by nobody.

        It may know better who the owner is, or is not any more, than this one has heard.
        """
        try:
            return await handler(request)
        except OwnedElsewhereError as heard:
            self._doubt(heard.workspace_id)
        try:
            return await handler(request)
        except OwnedElsewhereError as elsewhere:
            raise NotTheOwner(
                f"The bridge at {elsewhere.address} decides.", headers=_SOON
            ) from None

    async def _try(
        self, request: web.Request, elsewhere: OwnedElsewhereError, patient_until: float
    ) -> web.StreamResponse | None:
        """The owner's answer; None if the request may be made again."""
        try:
            return await self._forward(request, elsewhere.address)
        except PeerAwayError as error:
            self._doubt(elsewhere.workspace_id)
            in_time = asyncio.get_running_loop().time() < patient_until
            if not (in_time and (error.nothing_done or _is_repeatable(request))):
                raise OwnerAway(str(error), headers=_SOON) from None
            return None

    async def _forward(self, request: web.Request, address: str) -> web.StreamResponse:
        if request.headers.get(hdrs.UPGRADE, "").lower() == "websocket":
            self.led["stream"] += 1
            return await self._pipes.lead(request, address)
        self.led["request"] += 1
        body = await read_bytes(request) if request.body_exists else None
        headers = {name: request.headers[name] for name in _PASSED_ON if name in request.headers}
        answered = await self.peers.ask(request.method, address + request.raw_path, headers, body)
        if answered.is_not_the_owner:
            raise PeerAwayError("The owner has changed.", nothing_done=True)
        kept = {name: answered.headers[name] for name in _PASSED_BACK if name in answered.headers}
        return web.Response(status=answered.status, body=answered.body or None, headers=kept)


def _is_repeatable(request: web.Request) -> bool:
    """Whether a request that may have been decided already may be made again."""
    return request.method in _REPEATABLE or KEY_HEADER in request.headers
