"""Bodies: read from JSON or MessagePack and validated, written in the form that was asked for."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from aiohttp import hdrs, web

from schedule_bridge.api.aside import by_size
from schedule_bridge.api.limits import LIMITS
from schedule_bridge.api.media import media_of_answer
from schedule_bridge.api.problems import (
    BadRequest,
    BodyTooLarge,
    InvalidBody,
    NotAcceptable,
    SlowBody,
    UnreadableBody,
    UnsupportedMediaType,
)
from schedule_bridge.wire.codec import Media, decode, encode
from schedule_bridge.wire.faults import Fault, WireError
from schedule_bridge.wire.schemas import validate

PLAIN_TYPES: Final = {media.value: media for media in Media}
"""Content types as nearly every client sends them."""
_READ: Final = "Bodies are read as application/json or application/msgpack, in UTF-8, uncompressed."


async def read_body(
    request: web.Request,
    schema: str,
    *,
    optional: bool = False,
    fill: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """The body as a valid object of that schema; `{}` if it is optional and absent.

    `fill` are members that the path names already, so that the body need not repeat them.

    Raises a Problem: 400 (not readable, not valid), 408, 413 or 415.
    """
    if optional and not await _has_body(request):
        return {}
    media = _media_of_body(request)
    body = await read_bytes(request)
    return await by_size(len(body), interpret, media, body, schema, fill)


def answer(request: web.Request, value: object, *, status: int = 200) -> web.Response:
    """The value as a response, in the form that the Accept header asks for; 406 if in none."""
    media = media_of_answer(request)
    if media is None:
        raise NotAcceptable("Answers are application/json or application/msgpack.")
    return web.Response(status=status, body=encode(media, value), content_type=media.value)


async def _has_body(request: web.Request) -> bool:
    """Also of one that was read before, since a request may be handled anew."""
    return request.body_exists and len(await read_bytes(request)) > 0


def _media_of_body(request: web.Request) -> Media:
    plain = PLAIN_TYPES.get(request.headers.get(hdrs.CONTENT_TYPE, ""))
    if plain is not None and hdrs.CONTENT_ENCODING not in request.headers:
        return plain
    encoding = request.headers.get(hdrs.CONTENT_ENCODING, "identity")
    charset = (request.charset or "utf-8").lower()
    if encoding.lower() != "identity" or charset != "utf-8":
        raise UnsupportedMediaType(_READ)
    try:
        return Media(request.content_type)
    except ValueError:
        raise UnsupportedMediaType(_READ) from None


async def read_bytes(request: web.Request) -> bytes:
    """The body as it came; raises a Problem: 400, 408 or 413."""
    limits = request.app[LIMITS]
    if (request.content_length or 0) > limits.body_bytes:
        raise BodyTooLarge(f"A body has at most {limits.body_bytes} bytes.")
    try:
        if request.content.is_eof():  # all of it is here: there is nothing to wait for
            return await request.read()
        async with asyncio.timeout(limits.body_seconds):
            return await request.read()
    except TimeoutError:
        raise SlowBody(
            "The body did not arrive in time.", headers={hdrs.CONNECTION: "close"}
        ) from None
    except web.RequestPayloadError:
        raise BadRequest("The body breaks the rules of HTTP.") from None


def interpret(
    media: Media | None, body: bytes, schema: str, fill: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """What the bytes say, as `read_body` has it; without a form they say nothing that is read."""
    if media is None:
        raise UnsupportedMediaType(_READ)
    try:
        value: Any = decode(media, body)
    except WireError as error:
        raise UnreadableBody(error.code, Fault(error.pointer, error.sentence)) from None
    if fill and isinstance(value, dict):
        value = {**fill, **value}
    faults = validate(schema, value)
    if faults:
        raise InvalidBody(faults[0].message, faults=faults)
    valid: dict[str, Any] = value
    return valid
