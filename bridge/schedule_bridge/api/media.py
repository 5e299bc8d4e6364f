"""Which form an answer takes, by the Accept header.

MessagePack where the client names it with at least the weight of JSON; else JSON, unless the
client excludes it with `q=0`. A client that names neither gets JSON.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from aiohttp import hdrs, web

from schedule_bridge.wire.codec import Media

_HEADERS_KNOWN: Final = 64
"""Few clients send few different ones."""
_WILDCARDS: Final = ("application/*", "*/*")


@lru_cache(_HEADERS_KNOWN)
def accepted_media(accept: str) -> Media | None:
    """The form that an Accept header asks for; None if it admits neither."""
    weights = dict(_ranges(accept))
    fallback = next((weights[name] for name in _WILDCARDS if name in weights), None)
    json = weights.get(Media.JSON, fallback)
    msgpack = weights.get(Media.MSGPACK, 0.0)
    if msgpack > 0 and msgpack >= (json or 0.0):
        return Media.MSGPACK
    if json is None or json > 0:
        return Media.JSON
    return Media.MSGPACK if Media.MSGPACK not in weights and fallback else None


def media_of_answer(request: web.BaseRequest) -> Media | None:
    """The form that the request asks for; None if it admits neither."""
    return accepted_media(",".join(request.headers.getall(hdrs.ACCEPT, ())))


def media_for_problem(request: web.BaseRequest) -> Media:
    """As `media_of_answer`, but a problem is told in JSON rather than not at all."""
    return media_of_answer(request) or Media.JSON


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    for part in accept.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        yield name, _weight(parameters)


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return float(parameter[2:])
            except ValueError:
                return 0.0
    return 1.0
