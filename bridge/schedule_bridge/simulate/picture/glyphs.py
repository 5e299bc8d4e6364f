"""The mark of each outcome around the origin; shapes differ, so that they read in greyscale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schedule_bridge.simulate.outcome import HUES, Outcome
from schedule_bridge.simulate.picture import measures as m
from schedule_bridge.simulate.picture.svg import add, haloed, line, path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from xml.etree.ElementTree import Element

    from schedule_bridge.simulate.outcome import Hue


def draw_mark(parent: Element, outcome: Outcome, x: float, y: float, *, small: bool) -> Element:
    """The mark at a point; a small skip is its slash alone."""
    scaled = f" scale({m.SMALL})" if small else ""
    group = add(parent, "g", transform=f"translate({path(x, y)}){scaled}")
    if small and outcome is Outcome.SKIPPED:
        _slash(group, HUES[outcome])
    else:
        _GLYPHS[outcome](group, HUES[outcome])
    return group


def _dot(group: Element, hue: Hue) -> None:
    add(group, "circle", look=f"solid {hue}", r=4)


def _struck_ring(group: Element, hue: Hue) -> None:
    add(group, "circle", look=f"open {hue}", r=3.6)
    _slash(group, hue)


def _slash(group: Element, hue: Hue) -> None:
    line(group, "M -4.5 4.5 L 4.5 -4.5", f"thin {hue}")


def _cross(group: Element, hue: Hue) -> None:
    line(group, "M -3 -3 L 3 3 M -3 3 L 3 -3", f"thick {hue}")


def _square(group: Element, hue: Hue) -> None:
    add(group, "rect", look=f"soft {hue}", x=-3.5, y=-3.5, width=7, height=7)


def _diamond(group: Element, hue: Hue) -> None:
    add(group, "path", look=f"soft {hue}", d="M 0 -5 L 5 0 L 0 5 L -5 0 Z")


def _bracketed_dot(group: Element, hue: Hue) -> None:
    line(group, "M -1.5 -4 H -4 V 4 H -1.5 M 1.5 -4 H 4 V 4 H 1.5", f"thick {hue}")
    add(group, "circle", look=f"solid {hue}", r=1.4)


def _uprights(group: Element, hue: Hue) -> None:
    line(group, "M -2.2 -4.5 V 4.5 M 2.2 -4.5 V 4.5", f"cap {hue}")


def _slanted_end(group: Element, hue: Hue) -> None:
    _bar_end(group)
    haloed(group, "M -1 7 L 5 -7", hue)


def _upright_end(group: Element, hue: Hue) -> None:
    _bar_end(group)
    haloed(group, "M 2 -7 V 7", hue)


def _dashed_end(group: Element, hue: Hue) -> None:
    _bar_end(group)
    line(group, "M 2 -7 V 7", "halo")
    line(group, "M 2 -7 V 7", f"cap dashed {hue}")


def _failed_end(group: Element, hue: Hue) -> None:
    add(group, "rect", look=f"hatched {hue}", x=-8, y=-4, width=8, height=8)
    add(group, "path", look=f"solid {hue}", d="M 0 4.5 L 4 -4 L 8 4.5 Z")


def _bar_end(group: Element) -> None:
    add(group, "rect", look="solid run", x=-7, y=-4, width=9, height=8)


_GLYPHS: Final[Mapping[Outcome, Callable[[Element, Hue], None]]] = {
    Outcome.STARTED: _dot,
    Outcome.SKIPPED: _struck_ring,
    Outcome.DROPPED: _cross,
    Outcome.QUEUED: _square,
    Outcome.MERGED: _diamond,
    Outcome.HELD: _bracketed_dot,
    Outcome.DELAYED: _bracketed_dot,
    Outcome.ON_HOLD: _uprights,
    Outcome.CANCELLED: _slanted_end,
    Outcome.TERMINATED: _upright_end,
    Outcome.EXPIRED: _dashed_end,
    Outcome.FAILED: _failed_end,
}
