"""Payloads as bytes: MessagePack, which keeps Buffers and Dates as they are."""

from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]  # it carries no types

_TIMESTAMPS_AS_DATETIME = 3
_BEGINNINGS_OF_AN_OBJECT = {bytes([first]) for first in (*range(0x80, 0x90), 0xDE, 0xDF)}


def pack(payload: object) -> bytes | None:
    """A payload for the store; null is kept as NULL."""
    return None if payload is None else pack_value(payload)


def pack_value(value: object) -> bytes:
    """Any value of JSON, of bytes and of dates; null is one as well."""
    packed: bytes = msgpack.packb(value, datetime=True)
    return packed


def unpack_object(packed: bytes) -> dict[str, Any]:
    """The object that was packed."""
    value = unpack(packed)
    if not isinstance(value, dict):
        raise TypeError("what is packed is not an object")
    return value


def check_object(packed: bytes) -> None:
    """Sees that an object is packed, whole and alone, without making it.

    Raises:
        ValueError: something else is.
    """
    if packed[:1] not in _BEGINNINGS_OF_AN_OBJECT:
        raise ValueError("what is packed is not an object")
    unpacker = msgpack.Unpacker(read_size=len(packed), max_buffer_size=len(packed))
    unpacker.feed(packed)
    try:
        unpacker.skip()
    except msgpack.OutOfData:
        raise ValueError("what is packed ends too early") from None
    if unpacker.tell() != len(packed):
        raise ValueError("what is packed goes on after its end")


def unpack(packed: bytes | None) -> object:
    """The payload that was packed."""
    if packed is None:
        return None
    payload: object = msgpack.unpackb(
        packed, timestamp=_TIMESTAMPS_AS_DATETIME, strict_map_key=False
    )
    return payload
