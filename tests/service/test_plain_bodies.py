"""A body that is taken for plain is let in by the walk as well, and comes out of it unchanged."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schedule_bridge.wire.bounds import MAX_DEPTH, admit, admit_frame
from schedule_bridge.wire.codec import Media, decode, decode_frame
from schedule_bridge.wire.faults import WireError
from schedule_bridge.wire.plain import is_plain

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**25), 10**25)
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["\0", "\ud800", "$base64", "__proto__", "9" * 19]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["a", "payload", "where", "$base64", "__proto__", "\0", "\ud800"]),
            inner,
            max_size=3,
        )
    ),
)


@given(value=VALUES, as_ascii=st.booleans())
@example(value={"payload": {"$base64": "AAAA"}}, as_ascii=True)
@example(value={"a": 1e308 * 10}, as_ascii=True)
def test_what_is_plain_is_admitted_as_it_is(value: object, *, as_ascii: bool) -> None:
    body = json.dumps(value, ensure_ascii=as_ascii).encode(errors="surrogatepass")
    if not is_plain(body):
        return
    try:
        read = orjson.loads(body)
    except orjson.JSONDecodeError:
        return
    assert admit(read, reads_base64=True) == read
    assert decode(Media.JSON, body) == read
    assert decode_frame(Media.JSON, body) == admit_frame(read, reads_base64=True) == read


@pytest.mark.parametrize(
    "body",
    [
        b'{"payload": {"\\u0024base64": "AAAA"}}',
        b'{"\\u005f_proto__": 1}',
        b'{"a": "\\u0000"}',
        b'{"a": 9223372036854775808}',
        b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
    ],
)
def test_what_only_the_walk_can_judge_is_not_plain(body: bytes) -> None:
    assert not is_plain(body)


@pytest.mark.parametrize("body", [b"NaN", b'{"a": 1e400}', b'{"a": "\xff"}', b"{"])
def test_what_is_no_json_is_refused_as_ever(body: bytes) -> None:
    with pytest.raises(WireError):
        decode(Media.JSON, body)
