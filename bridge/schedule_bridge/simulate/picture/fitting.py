"""Makes a heading fit beside its sentence."""

from __future__ import annotations

from typing import Final
from unicodedata import combining, east_asian_width

_LETTER: Final = 7.0
"""What a letter of 12 px takes at most on average; a title's is larger."""
_TITLE_LETTER: Final = 9.5
_LEAST: Final = 8


def fit(title: str, aside: str, sentence: str, room: float) -> tuple[str, str]:
    """The title, shortened if it must be, and the aside, left out if there is no room for it."""
    left = room - _LETTER * (len(sentence) + 2)
    with_aside = left - _LETTER * len(aside)
    if _width(title) * _TITLE_LETTER <= with_aside:
        return title, aside
    return _shorten(title, max(int(left / _TITLE_LETTER), _LEAST)), ""


def _shorten(text: str, columns: int) -> str:
    if _width(text) <= columns:
        return text
    taken, end = 0, 0
    while taken + _columns(text[end]) < columns:
        taken += _columns(text[end])
        end += 1
    return text[:end] + "…"


def _width(text: str) -> int:
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1
