"""A packed object is checked without being made."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]  # it carries no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_bridge.store.payloads import check_object, pack_value

from .strategies import payloads

_OBJECT = {"a": {"b": [1, None, b"bytes"]}}


@given(st.dictionaries(st.text(max_size=3), payloads, max_size=40))
def test_whatever_object_is_packed_is_one(value: dict[str, object]) -> None:
    check_object(pack_value(value))


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        *(pack_value(value) for value in (None, 1, "text", [_OBJECT], b"bytes")),
        pack_value(_OBJECT)[:-1],
        pack_value(_OBJECT) + b"\x00",
        b"\x81\xa1a\xc1",  # a byte that MessagePack never uses
    ],
)
def test_nothing_else_is(packed: bytes) -> None:
    with pytest.raises(ValueError, match=r"^what is packed|^$"):
        check_object(packed)


def test_an_object_too_large_for_a_short_beginning_is_one() -> None:
    for size in (15, 16, 70_000):
        check_object(msgpack.packb(dict.fromkeys(range(size))))
