"""Bytes to values and back, in JSON and in MessagePack.

MessagePack carries bytes and dates natively. JSON shows bytes as `{"$base64": text}` and dates
as RFC 3339 text; read back, bytes are bytes again and dates stay text.
"""

import base64
import json
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Never

import msgpack  # type: ignore[import-untyped]  # it carries no types
import orjson

from schedule_bridge.wire.bounds import BASE64_KEY, MAX_INTEGER, MAX_VALUES, admit, admit_frame
from schedule_bridge.wire.faults import WireCode, WireError
from schedule_bridge.wire.plain import has_long_number, is_plain
from schedule_bridge.wire.times import format_moment

_MAX_DIGITS: Final = 20


class Media(StrEnum):
    """The two forms of the wire."""

    JSON = "application/json"
    MSGPACK = "application/msgpack"


def decode(media: Media, body: bytes) -> object:
    """The value that the bytes stand for, within the bounds of `bounds`; else WireError.

    Of a member that is named twice the last one counts.
    """
    if media is Media.JSON:
        plain = _decode_plain(body)
        return admit(_decode_json(body), reads_base64=True) if plain is None else plain
    return admit(_decode_msgpack(body), reads_base64=False)


def decode_frame(media: Media, body: bytes) -> object:
    """As `decode`, but a trigger that is unfit stops no other: an `Unfit` stands in its place."""
    if media is Media.JSON and (plain := _decode_plain(body)) is not None:
        return plain
    value = _decode_json(body) if media is Media.JSON else _decode_msgpack(body)
    return admit_frame(value, reads_base64=media is Media.JSON)


def read_back(body: bytes) -> Any:
    """The value of MessagePack that `encode` has written, however large."""
    return msgpack.unpackb(body, timestamp=3)


def encode(media: Media, value: object) -> bytes:
    """The bytes of a value made of what `decode` returns."""
    if media is Media.JSON:
        return orjson.dumps(value, default=_show_in_json, option=orjson.OPT_PASSTHROUGH_DATETIME)
    packed: bytes = msgpack.packb(value, datetime=True)
    return packed


def _decode_plain(body: bytes) -> object:
    """The value of a body that needs no walk; None where it does, or is null."""
    if is_plain(body):
        with suppress(orjson.JSONDecodeError):
            return orjson.loads(body)
    return None


def _decode_json(body: bytes) -> object:
    # orjson turns integers beyond 64 bits into floats without a word, so a long run of digits
    # goes the slow way; so does what orjson refuses, to learn what is wrong and where.
    if not has_long_number(body):
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError:
            pass
    return _decode_json_slowly(body)


def _decode_json_slowly(body: bytes) -> object:
    try:
        return json.loads(
            body.decode(), parse_int=_read_integer, parse_constant=_refuse_json_constant
        )
    except UnicodeDecodeError:
        raise WireError(WireCode.MALFORMED_UTF8, "The text is not valid UTF-8.") from None
    except json.JSONDecodeError as error:
        raise WireError(
            WireCode.MALFORMED_JSON,
            f"This is not valid JSON: line {error.lineno}, column {error.colno}.",
        ) from None
    except RecursionError:
        raise WireError(WireCode.TOO_DEEP, "Values are nested too deep.") from None


def _read_integer(digits: str) -> int:
    # Reading thousands of digits is slow and forbidden by Python; any integer beyond the
    # bounds does, as `admit` refuses it with its place.
    return int(digits) if len(digits) <= _MAX_DIGITS else MAX_INTEGER + 1


def _refuse_json_constant(name: str) -> Never:
    raise WireError(WireCode.MALFORMED_JSON, f"This is not valid JSON: it has no {name}.")


def _decode_msgpack(body: bytes) -> object:
    # Room is made for as many values as a list says that it has, before any has been read.
    most = min(MAX_VALUES, len(body))
    try:
        return msgpack.unpackb(
            body,
            timestamp=3,
            strict_map_key=True,
            ext_hook=_refuse_extension,
            max_str_len=len(body),
            max_bin_len=len(body),
            max_ext_len=len(body),
            max_array_len=most,
            max_map_len=most,
        )
    except msgpack.StackError:
        raise WireError(WireCode.TOO_DEEP, "Values are nested too deep.") from None
    except UnicodeDecodeError:
        raise WireError(WireCode.MALFORMED_UTF8, "A text is not valid UTF-8.") from None
    except OverflowError:
        raise WireError(WireCode.BAD_TIMESTAMP, "A date must lie in the years 1 to 9999.") from None
    except ValueError:
        raise WireError(WireCode.MALFORMED_MSGPACK, "This is not valid MessagePack.") from None


def _refuse_extension(code: int, _data: bytes) -> Never:
    raise WireError(
        WireCode.UNKNOWN_EXTENSION, f"MessagePack extension {code} is not read here, only dates."
    )


def _show_in_json(value: Any) -> object:
    if isinstance(value, bytes):
        return {BASE64_KEY: base64.b64encode(value).decode()}
    if isinstance(value, datetime):
        return format_moment(value)
    raise TypeError(f"{type(value).__name__} has no form on the wire")
