"""What a request speaks of, by its path, and what it calls itself (Idempotency-Key)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Protocol

from schedule_bridge.api.problems import BadRequest
from schedule_bridge.engine import RequestName
from schedule_bridge.wire.codec import Media, encode
from schedule_bridge.wire.schemas import validate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import web

KEY_HEADER = "Idempotency-Key"
_KEY_LENGTH = 1024
NAMELESS = RequestName(None, b"")
"""A request that is not to be told from any other: its repeat is another request."""


class Headed(Protocol):
    """What has a path and headers: any request."""

    @property
    def path(self) -> str:
        """The path, its escapes undone."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""
        ...


def shape_of(name: str) -> str:
    """The part of `schemas/common.json` that an id of that name in a path must fit."""
    return "executionId" if name == "executionId" else "id"


def path_id(request: web.Request, name: str) -> str:
    """The id that the path holds; BadRequest where it could be nobody's."""
    value = request.match_info[name]
    faults = validate(f"common#/$defs/{shape_of(name)}", value, whole=name)
    if faults:
        raise BadRequest(faults[0].message)
    return value


def request_name(asked: Headed, body: Mapping[str, Any]) -> RequestName:
    """What the request calls itself; path and body tell it from another of the same key."""
    key = asked.headers.get(KEY_HEADER)
    if key is not None and not (key.isprintable() and 0 < len(key) <= _KEY_LENGTH):
        raise BadRequest(f"An Idempotency-Key has 1 to {_KEY_LENGTH} printable characters.")
    if key is None:
        return NAMELESS
    content = asked.path.encode() + b"\0" + encode(Media.MSGPACK, body)
    return RequestName(key, hashlib.sha256(content).digest())
