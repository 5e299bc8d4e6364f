"""A quick yes to bodies in which nothing can be that `bounds` refuses or changes.

Nearly every body is short and flat, and to walk through its values takes longer than to read
them. What is not plain is not refused by this: it is walked through.
"""

from typing import Final

from schedule_bridge.wire.bounds import BASE64_KEY, MAX_DEPTH, UNSAFE_KEY

_SHORT: Final = 16 * 1024
"""Bytes; fewer than there may be values."""
# An escape may stand for NUL, for half a surrogate pair or for a letter of a special name.
_NOT_PLAIN: Final = (b"\\u", BASE64_KEY.encode(), UNSAFE_KEY.encode())
_LONG_NUMBER: Final = b"0" * 19
_ZEROES: Final = bytes.maketrans(b"123456789", b"0" * 9)


def is_plain(body: bytes) -> bool:
    """Whether a JSON text, if it is one, holds nothing that the walk would stop or change at."""
    return (
        len(body) <= _SHORT
        and body.count(b"{") + body.count(b"[") <= MAX_DEPTH
        and not any(part in body for part in _NOT_PLAIN)
        and not has_long_number(body)
    )


def has_long_number(body: bytes) -> bool:
    """Whether so many digits stand in a row that they may not fit into 64 bits."""
    # Several times as fast as a regular expression, which stops at every byte.
    return _LONG_NUMBER in body.translate(_ZEROES)
