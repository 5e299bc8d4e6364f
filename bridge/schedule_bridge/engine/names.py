"""Names that nothing has had."""

from __future__ import annotations

import os

_BYTES = 8
_AT_ONCE = 256


class Names:
    """Random names of 16 hexadecimal digits.

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
