"""The other bridges of a store, asked over HTTP; all of them have one token."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode, urlsplit

from aiohttp import (
    ClientConnectorError,
    ClientError,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
    hdrs,
)

from schedule_bridge.engine import PeerAwayError
from schedule_bridge.wire.codec import Media, read_back

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedule_bridge.core.model import TriggerId, WorkspaceId

HOP: Final = "Schedule-Bridge-Forwarded-By"
"""Says who has forwarded a request: whoever gets it decides himself or says that he cannot."""
NOT_THE_OWNER: Final = "not-the-owner"

_TIMES: Final = ClientTimeout(total=20, sock_connect=2)
_KEEP_ALIVE_SECONDS: Final = 10
"""Less than a bridge keeps an idle connection open, so that no request meets a closed one."""


def is_address(url: str) -> bool:
    """Whether a bridge can be reached there: a URL of HTTP with nothing but host and port."""
    try:
        parts = urlsplit(url)
        has_place = bool(parts.hostname) and parts.port != 0
    except ValueError:  # no IPv6 address, or no port
        return False
    bare = f"{parts.scheme}://{parts.netloc}"
    return has_place and parts.scheme in ("http", "https") and "@" not in url and url == bare


class Answered:
    """What another bridge has answered: status, headers and body as they came."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def is_not_the_owner(self) -> bool:
        """Whether the bridge says that it does not decide, and has done nothing."""
        return self.status == HTTPStatus.SERVICE_UNAVAILABLE and NOT_THE_OWNER.encode() in self.body


class BridgePeers:
    """Asks other bridges. All methods may raise PeerAwayError."""

    def __init__(self, token: str, owner: str) -> None:
        """`owner` is what this bridge calls itself."""
        self.session = ClientSession(
            connector=TCPConnector(limit=0, keepalive_timeout=_KEEP_ALIVE_SECONDS),
            cookie_jar=DummyCookieJar(),
            auto_decompress=False,
            timeout=_TIMES,
        )
        self.own_headers = {hdrs.AUTHORIZATION: f"Bearer {token}", HOP: owner}

    async def close(self) -> None:
        """Lets go of all connections."""
        await self.session.close()

    async def check(self, address: str) -> None:
        """Makes sure that a bridge is ready there which has the token of this store's."""
        for path in ("/v1/info", "/readyz"):
            answered = await self.ask("GET", address + path)
            if answered.status != HTTPStatus.OK:
                why = f"No bridge of this store is ready at {address}."
                raise PeerAwayError(why, nothing_done=True)

    async def remove_trigger(self, address: str, trigger_id: TriggerId) -> None:
        """Has a trigger removed (R14); one that is gone already is no fault."""
        path = f"/v1/triggers/{quote(trigger_id, safe='')}"
        answered = await self.ask("DELETE", address + path)
        if answered.status not in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_FOUND):
            raise _refused(address, answered)

    async def take(self, address: str, workspace_id: WorkspaceId) -> None:
        """Has a bridge take a workspace that nobody owns: it is enough to ask about it."""
        path = f"/v1/workspaces/{quote(workspace_id, safe='')}"
        answered = await self.ask("GET", address + path)
        if answered.status != HTTPStatus.OK:
            raise _refused(address, answered)

    async def triggers(
        self, address: str, workspace_id: WorkspaceId, after: str, limit: int
    ) -> list[dict[str, Any]]:
        """How the first triggers of a workspace stand, with an id beyond `after`."""
        query = {"workspaceId": workspace_id, "limit": str(limit)}
        if after:
            query["cursor"] = after
        url = f"{address}/v1/triggers?{urlencode(query)}"
        answered = await self.ask("GET", url, {hdrs.ACCEPT: Media.MSGPACK.value})
        try:
            found: list[dict[str, Any]] = read_back(answered.body)["triggers"]
        except (ValueError, LookupError, TypeError):
            raise _refused(address, answered) from None
        return found

    async def ask(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Answered:
        """Another bridge's answer, whatever it is."""
        try:
            async with self.session.request(
                method,
                url,
                headers={**(headers or {}), **self.own_headers},
                data=body,
                allow_redirects=False,
            ) as response:
                return Answered(response.status, response.headers, await response.read())
        except (ClientError, TimeoutError, OSError) as error:
            raise away(url, error) from error


def away(url: str, error: Exception) -> PeerAwayError:
    """What is said of a bridge that does not answer; without a connection it has done nothing."""
    address = "/".join(url.split("/", 3)[:3])
    return PeerAwayError(
        f"The bridge at {address}, which decides for this, does not answer.",
        nothing_done=isinstance(error, ClientConnectorError),
    )


def _refused(address: str, answered: Answered) -> PeerAwayError:
    return PeerAwayError(
        f"The bridge at {address} answers with status {answered.status}.", nothing_done=False
    )
