"""A quick yes to bodies in which nothing can be that `bounds` refuses or changes.

Nearly every body is short and flat, and to walk through its values takes longer than to read
them. What is not plain is not refused by this: it is walked through.
"""

import re
from typing import Final

from schedule_bridge.wire.bounds import BASE64_KEY, MAX_DEPTH, UNSAFE_KEY

_SHORT: Final = 16 * 1024
"""Bytes; fewer than there may be values."""
_NOT_PLAIN: Final = re.compile(
    # An escape may stand for NUL, for half a surrogate pair or for a letter of a special name; a
    # long number may not fit into 64 bits.
    rb"\\u|\d{19}|" + b"|".join(re.escape(name.encode()) for name in (BASE64_KEY, UNSAFE_KEY))
)


def is_plain(body: bytes) -> bool:
    """Whether a JSON text, if it is one, holds nothing that the walk would stop or change at."""
    return (
        len(body) <= _SHORT
        and body.count(b"{") + body.count(b"[") <= MAX_DEPTH
        and _NOT_PLAIN.search(body) is None
    )
