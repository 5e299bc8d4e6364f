"""Sentences as lines of a page."""

from __future__ import annotations

import textwrap

_COLUMNS = 120


def paragraph(text: str) -> list[str]:
    """The text in lines, and an empty one after it."""
    return [*_wrapped(text, "", ""), ""]


def item(text: str, mark: str = "-") -> list[str]:
    """The text as an entry of a list."""
    return _wrapped(text, f"{mark} ", " " * (len(mark) + 1))


def _wrapped(text: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        _COLUMNS,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
