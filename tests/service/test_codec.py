"""Bytes and values: what is let in, what is refused and where."""

import json
import tracemalloc
from datetime import UTC, datetime
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it carries no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_bridge.wire.bounds import (
    MAX_DEPTH,
    MAX_INTEGER,
    MAX_VALUES,
    MIN_INTEGER,
    UNSAFE_KEY,
)
from schedule_bridge.wire.codec import Media, decode, encode
from schedule_bridge.wire.faults import WireCode, WireError

DATE = datetime(2026, 1, 1, 12, 30, 0, 250_000, tzinfo=UTC)
LONG = b"1" * 5000


def refusal(media: Media, body: bytes) -> tuple[str, str]:
    with pytest.raises(WireError) as caught:
        decode(media, body)
    assert caught.value.sentence.endswith(".")
    return caught.value.code, caught.value.pointer


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        (b"", WireCode.MALFORMED_JSON, ""),
        (b"{", WireCode.MALFORMED_JSON, ""),
        (b"{} {}", WireCode.MALFORMED_JSON, ""),
        (b"{'a': 1}", WireCode.MALFORMED_JSON, ""),
        (b"[1,]", WireCode.MALFORMED_JSON, ""),
        (b'"\x01"', WireCode.MALFORMED_JSON, ""),
        (b"\xef\xbb\xbf{}", WireCode.MALFORMED_JSON, ""),
        (b"NaN", WireCode.MALFORMED_JSON, ""),
        (b'{"a": [-Infinity]}', WireCode.MALFORMED_JSON, ""),
        (b"[" * 5000, WireCode.TOO_DEEP, ""),
        (b'{"a":' * 5000, WireCode.TOO_DEEP, ""),
        (b'"\xff"', WireCode.MALFORMED_UTF8, ""),
        (b'"\xed\xa0\x80"', WireCode.MALFORMED_UTF8, ""),
        (b'{"a": ["\\ud800"]}', WireCode.LONE_SURROGATE, "/a/0"),
        (b'{"\\udc00": 1}', WireCode.LONE_SURROGATE, ""),
        (b'{"a/b~": "x\\u0000"}', WireCode.NUL_CHARACTER, "/a~1b~0"),
        (b'{"x\\u0000": 1}', WireCode.NUL_CHARACTER, ""),
        (b'{"a": ' + LONG + b"}", WireCode.NUMBER_OUT_OF_RANGE, "/a"),
        (b'{"a": -' + LONG + b"}", WireCode.NUMBER_OUT_OF_RANGE, "/a"),
        (b"[9223372036854775808]", WireCode.NUMBER_OUT_OF_RANGE, "/0"),
        (b"[0, -9223372036854775809]", WireCode.NUMBER_OUT_OF_RANGE, "/1"),
        (b"[18446744073709551616]", WireCode.NUMBER_OUT_OF_RANGE, "/0"),
        (b"[1e400]", WireCode.NOT_FINITE, "/0"),
        (b'{"payload": {"$base64": "?"}}', WireCode.BAD_BASE64, "/payload"),
        (b'{"payload": {"$base64": "\xc3\xbc"}}', WireCode.BAD_BASE64, "/payload"),
        (b'{"payload": {"$base64": 1}}', WireCode.BAD_BASE64, "/payload"),
    ],
)
def test_json_is_refused_with_its_place(body: bytes, code: WireCode, pointer: str) -> None:
    assert refusal(Media.JSON, body) == (code, pointer)


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        (b"", WireCode.MALFORMED_MSGPACK, ""),
        (b"\xc1", WireCode.MALFORMED_MSGPACK, ""),
        (b"\x01\x01", WireCode.MALFORMED_MSGPACK, ""),
        (b"\x81\x01\x01", WireCode.MALFORMED_MSGPACK, ""),
        (b"\xdd\xff\xff\xff\xff", WireCode.MALFORMED_MSGPACK, ""),
        (b"\xdf\xff\xff\xff\xff", WireCode.MALFORMED_MSGPACK, ""),
        (b"\xdb\xff\xff\xff\xff", WireCode.MALFORMED_MSGPACK, ""),
        (b"\xc6\xff\xff\xff\xff", WireCode.MALFORMED_MSGPACK, ""),
        (b"\xc9\xff\xff\xff\xff\xff", WireCode.MALFORMED_MSGPACK, ""),
        (b"\x91" * 5000, WireCode.TOO_DEEP, ""),
        (b"\xa1\xff", WireCode.MALFORMED_UTF8, ""),
        (b"\xa3\xed\xa0\x80", WireCode.MALFORMED_UTF8, ""),
        (b"\x81\xc4\x01a\x01", WireCode.KEY_NOT_TEXT, ""),
        (b"\x81\xa1a\x81\xa9__proto__\x01", WireCode.KEY_NOT_SAFE, "/a"),
        (b"\x91\xc4\x01a", WireCode.BYTES_OUTSIDE_PAYLOAD, "/0"),
        (b"\xd4\x05\x00", WireCode.UNKNOWN_EXTENSION, ""),
        (b"\xd4\xff\x00", WireCode.MALFORMED_MSGPACK, ""),
        (b"\xc7\x0c\xff\0\0\0\0" + b"\x7f" * 8, WireCode.BAD_TIMESTAMP, ""),
        (b"\x91\xcf" + b"\xff" * 8, WireCode.NUMBER_OUT_OF_RANGE, "/0"),
        (msgpack.packb([float("nan")]), WireCode.NOT_FINITE, "/0"),
        (msgpack.packb({"a": float("-inf")}), WireCode.NOT_FINITE, "/a"),
        (msgpack.packb({"a": "\0"}), WireCode.NUL_CHARACTER, "/a"),
        (
            msgpack.packb({"where": {"properties": {"payload": {"const": b"x"}}}}),
            WireCode.BYTES_OUTSIDE_PAYLOAD,
            "/where/properties/payload/const",
        ),
    ],
)
def test_msgpack_is_refused_with_its_place(body: bytes, code: WireCode, pointer: str) -> None:
    assert refusal(Media.MSGPACK, body) == (code, pointer)


def test_room_is_made_for_no_more_values_than_there_are_bytes() -> None:
    """A few bytes that speak of lists within lists would else take megabytes."""
    tracemalloc.start()
    try:
        assert refusal(Media.MSGPACK, b"\xdd\x00\x01\x86\xa0" * 1000)[0] == "malformed-msgpack"
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("media", Media)
def test_nesting_is_bounded(media: Media) -> None:
    assert decode(media, encode(media, nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    code, pointer = refusal(media, encode(media, nested(MAX_DEPTH + 1)))
    assert (code, pointer) == (WireCode.TOO_DEEP, "/0" * MAX_DEPTH)


@pytest.mark.parametrize("media", Media)
def test_the_number_of_values_is_bounded(media: Media) -> None:
    most: list[object] = [None] * (MAX_VALUES - 1)
    assert decode(media, encode(media, most)) == most
    assert refusal(media, encode(media, [*most, [None]]))[0] == WireCode.TOO_MANY_VALUES


@pytest.mark.parametrize("media", Media)
def test_integers_of_64_bits_are_let_in(media: Media) -> None:
    for number in (MIN_INTEGER, MAX_INTEGER):
        decoded = decode(media, encode(media, number))
        assert (decoded, type(decoded)) == (number, int)


def test_a_large_number_written_as_a_fraction_is_let_in() -> None:
    assert decode(Media.JSON, b"[1e30, 12345678901234567890123.5]") == [1e30, 1.2345678901234568e22]


def test_of_a_member_named_twice_the_last_one_counts() -> None:
    assert decode(Media.JSON, b'{"a": 1, "a": 2}') == {"a": 2}
    assert decode(Media.MSGPACK, b"\x82\xa1a\x01\xa1a\x02") == {"a": 2}


def test_msgpack_carries_bytes_and_dates_in_a_payload() -> None:
    value = {"payload": {"image": b"\x00\xff", "taken": [DATE]}}
    assert decode(Media.MSGPACK, encode(Media.MSGPACK, value)) == value


def test_json_shows_bytes_and_dates() -> None:
    shown = json.loads(encode(Media.JSON, {"payload": {"image": b"\x00\xff", "taken": DATE}}))
    assert shown == {"payload": {"image": {"$base64": "AP8="}, "taken": "2026-01-01T12:30:00.250Z"}}


def test_json_gives_bytes_back_in_a_payload_only() -> None:
    body = b'{"payload": [{"$base64": "AP8="}], "name": {"$base64": "AP8="}}'
    assert decode(Media.JSON, body) == {"payload": [b"\x00\xff"], "name": {"$base64": "AP8="}}


def test_msgpack_leaves_such_an_object_alone() -> None:
    value = {"payload": {"$base64": "not base64 at all"}}
    assert decode(Media.MSGPACK, encode(Media.MSGPACK, value)) == value


def test_an_object_with_more_than_base64_stays_an_object() -> None:
    body = b'{"payload": {"$base64": "AP8=", "n": 1}}'
    assert decode(Media.JSON, body) == {"payload": {"$base64": "AP8=", "n": 1}}


def test_a_date_outside_a_payload_becomes_text() -> None:
    body = encode(Media.MSGPACK, {"endedAt": DATE})
    assert decode(Media.MSGPACK, body) == {"endedAt": "2026-01-01T12:30:00.250Z"}


def test_what_no_codec_knows_cannot_be_sent() -> None:
    with pytest.raises(TypeError):
        encode(Media.JSON, object())


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
NAMES = TEXTS.filter(lambda name: name != UNSAFE_KEY)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(MIN_INTEGER, MAX_INTEGER)
    | st.floats(-1e9, 1e9)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.sampled_from(Media))
def test_values_come_back_as_they_were(value: object, media: Media) -> None:
    assert decode(media, encode(media, value)) == value


@given(st.binary(max_size=60), st.sampled_from(Media))
def test_any_bytes_are_a_value_or_a_clean_refusal(body: bytes, media: Media) -> None:
    try:
        value = decode(media, body)
    except WireError:
        return
    assert decode(media, encode(media, value)) == value
