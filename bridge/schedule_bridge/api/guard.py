"""Who may call: the checks that come before routing, the WebSocket's upgrade included.

They withstand DNS rebinding (Host), a web page's cross-site requests (Origin) and callers
without the token. No CORS header is ever sent.
"""

import hmac
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

from aiohttp import hdrs, web
from multidict import CIMultiDictProxy

from schedule_bridge.api.problems import BadRequest, ForbiddenHost, ForbiddenOrigin, Unauthorized

OPEN_PATHS: Final = frozenset({"/healthz", "/readyz"})
Headers: TypeAlias = CIMultiDictProxy[str]
Socket: TypeAlias = Any
"""As asyncio has it: an address, a port, and more for IPv6; None of a connection that is gone."""

_NO_SOCKET: Final = ("", 0)
_SOCKETS_KNOWN: Final = 16
_LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Guard:
    """What a caller is measured against.

    `hosts` are `host:port` texts, in lower case, allowed beside the loopback names and the own
    address at the port that was connected to; `origins` are allowed whole, as a browser sends
    them.
    """

    token: str
    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()

    def check(self, request: web.BaseRequest) -> bool:
        """Whether the caller has shown the token; an open path needs none.

        Raises a Problem (400, 401, 403) unless the caller may go on.
        """
        _check_target(request.raw_path)
        self._check_page(request.headers, request.get_extra_info("sockname"))
        if request.path in OPEN_PATHS:
            return False
        self._check_token(request.headers)
        return True

    def check_head(self, target: str, headers: Headers, socket: Socket) -> None:
        """The same of a head without its request, for a path that is not open.

        `target` is that of the first line, `socket` the own end of the connection.
        """
        _check_target(target)
        self._check_page(headers, socket)
        self._check_token(headers)

    def _check_page(self, headers: Headers, socket: Socket) -> None:
        self._check_host(headers, socket)
        self._check_origin(headers)

    def _check_host(self, headers: Headers, socket: Socket) -> None:
        given = headers.getall(hdrs.HOST, ())
        if len(given) != 1 or not given[0]:
            raise BadRequest("A request names its host, once.")
        host = given[0].lower()
        if host not in self.hosts and host not in _own_hosts(*(socket or _NO_SOCKET)[:2]):
            raise ForbiddenHost("The bridge serves its own address only, or an allowed host.")

    def _check_origin(self, headers: Headers) -> None:
        for origin in headers.getall(hdrs.ORIGIN, ()):
            if origin not in self.origins:
                raise ForbiddenOrigin("Requests of web pages are refused unless allowed.")

    def _check_token(self, headers: Headers) -> None:
        scheme, _, given = headers.get(hdrs.AUTHORIZATION, "").partition(" ")
        # Bytes, since compare_digest takes no text beyond ASCII.
        wanted = self.token.encode()
        same = hmac.compare_digest(given.strip().encode(errors="surrogateescape"), wanted)
        if scheme.lower() != "bearer" or not same:
            raise Unauthorized(
                "The Authorization header must hold the bridge's token: Bearer TOKEN.",
                headers={hdrs.WWW_AUTHENTICATE: 'Bearer realm="schedule-bridge"'},
            )


GUARD: Final = web.AppKey("guard", Guard)


def _check_target(target: str) -> None:
    # An absolute-form target would put its own host before the Host header.
    if not target.startswith("/"):
        raise BadRequest("The target of a request begins with /.")
    # aiohttp's own parser, used where there is no compiled one, lets any byte through, and
    # half a surrogate pair out of it.
    if not target.isascii():
        raise BadRequest("The target of a request is percent-encoded.")


@lru_cache(_SOCKETS_KNOWN)
def _own_hosts(address: str, port: int) -> frozenset[str]:
    own = f"[{address}]" if ":" in address else address
    names = (*_LOOPBACK_NAMES, own)
    return frozenset(name if port == 80 else f"{name}:{port}" for name in names)
