"""Names that nothing has had: 16 hexadecimal digits each."""

from __future__ import annotations

import os
from itertools import count

_BYTES = 8
_AT_ONCE = 256
_ALL = 1 << 8 * _BYTES


class Names:
    """Random names. People read their first digits, so these differ.

    Entropy is asked of the system for many names at once: it takes as long as for a single one.
    """

    def __init__(self) -> None:
        self._left: list[str] = []

    def new(self) -> str:
        """A name that nothing has had."""
        if not self._left:
            digits = os.urandom(_BYTES * _AT_ONCE).hex()
            self._left = [
                digits[begin : begin + 2 * _BYTES] for begin in range(0, len(digits), 2 * _BYTES)
            ]
        return self._left.pop()


class Numbers:
    """Names that count up from a random one, for what is recorded many at a time.

    They stand side by side in the store's index; each random one would touch a page of its own.
    """

    def __init__(self) -> None:
        self._numbers = count(int.from_bytes(os.urandom(_BYTES)))

    def new(self) -> str:
        """A name that nothing has had: the next one."""
        return f"{next(self._numbers) % _ALL:016x}"
