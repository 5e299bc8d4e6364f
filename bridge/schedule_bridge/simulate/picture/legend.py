"""The legend: only what is in view, in lines as wide as the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schedule_bridge.simulate.outcome import WORDS, Outcome
from schedule_bridge.simulate.picture import measures as m
from schedule_bridge.simulate.picture.shapes import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from schedule_bridge.simulate.picture.shapes import Band

_SIGN: Final = 20
_LETTER: Final = 5.8
_GAP: Final = 22


def lay_out_legend(bands: Iterable[Band], top: float, right: float) -> Iterator[Entry]:
    """The entries, from `top` on, one after the other as far as `right`."""
    seen = _in_view(bands)
    x: float = m.MARGIN
    y = top + m.ENTRY / 2
    for outcome in (outcome for outcome in Outcome if outcome in seen):
        text = WORDS[outcome]
        width = _SIGN + _LETTER * len(text)
        if x + width > right:
            x, y = m.MARGIN, y + m.ENTRY
        yield Entry(outcome, x, y, text)
        x += width + _GAP


def _in_view(bands: Iterable[Band]) -> set[Outcome]:
    """A run that completed needs no explanation: its bar just ends."""
    seen: set[Outcome] = set()
    for band in bands:
        seen.update(mark.outcome for mark in band.marks)
        seen.update(bar.outcome for bar in band.waits)
        seen.update(bar.ending for bar in band.runs if bar.ending is not None)
        seen.update(Outcome.CANCELLED for bar in band.waits if bar.cancelled)
    return seen - {Outcome.COMPLETED}
