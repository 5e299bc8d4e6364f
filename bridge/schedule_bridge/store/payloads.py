"""Payloads as bytes: MessagePack, which keeps Buffers and Dates as they are."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]  # it carries no types

_TIMESTAMPS_AS_DATETIME = 3


def pack(payload: object) -> bytes | None:
    """A payload for the store; null is kept as NULL."""
    return None if payload is None else pack_value(payload)


def pack_value(value: object) -> bytes:
    """Any value of JSON, of bytes and of dates; null is one as well."""
    packed: bytes = msgpack.packb(value, datetime=True)
    return packed


def unpack(packed: bytes | None) -> object:
    """The payload that was packed."""
    if packed is None:
        return None
    payload: object = msgpack.unpackb(
        packed, timestamp=_TIMESTAMPS_AS_DATETIME, strict_map_key=False
    )
    return payload
