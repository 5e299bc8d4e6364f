"""Bars and their ends: how a run ended and what something waits for is seen without colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schedule_bridge.simulate.outcome import Hue, Outcome
from schedule_bridge.simulate.picture import measures as m
from schedule_bridge.simulate.picture.svg import add, add_text, haloed, line, path

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from schedule_bridge.simulate.picture.shapes import RunBar, WaitBar

_HALF: Final = m.BAR / 2
_OVER: Final = _HALF + 2
_SEAM: Final = 1
"""Between a bar and the one that follows at once."""
_FILLS: Final = {
    Outcome.QUEUED: "hatched wait",
    Outcome.ON_HOLD: "striped wait",
    Outcome.HELD: "plain wait",
    Outcome.DELAYED: "plain wait",
}


def draw_run(parent: Element, bar: RunBar) -> None:
    """The bar of a run: solid, hatched if it failed, with the cap of its ending."""
    group = add(parent, "g")
    add_text(group, "title", bar.says)
    if bar.lost is not None:
        _box(group, "lost", bar.right + m.CAP / 2, bar.lost - _SEAM, bar.y)
    look = "hatched bad" if bar.ending is Outcome.FAILED else "solid run"
    _box(group, look, bar.left, max(bar.right - _SEAM, bar.left + m.LEAST_BAR), bar.y)
    _draw_ending(group, bar)


def draw_wait(parent: Element, bar: WaitBar) -> None:
    """A stretch of waiting, with a line across wherever a firing merged into it."""
    group = add(parent, "g")
    add_text(group, "title", bar.says)
    _box(group, _FILLS[bar.outcome], bar.left, bar.right, bar.y)
    for x in bar.crossings:
        line(group, _upright(x, bar.y, _HALF), "thin wait")
    if bar.outcome in (Outcome.HELD, Outcome.DELAYED):
        _draw_brackets(group, bar)
    if bar.cancelled:
        haloed(group, _slanted(bar.right, bar.y), Hue.BAD)


def _draw_ending(group: Element, bar: RunBar) -> None:
    match bar.ending:
        case Outcome.CANCELLED:
            haloed(group, _slanted(bar.right, bar.y), Hue.BAD)
        case Outcome.TERMINATED:
            haloed(group, _upright(bar.right, bar.y, _OVER), Hue.BAD)
        case Outcome.EXPIRED:
            line(group, _upright(bar.right, bar.y, _OVER), "halo")
            line(group, _upright(bar.right, bar.y, _OVER), "cap dashed bad")
        case Outcome.FAILED:
            _draw_triangle(group, bar.right - _SEAM, bar.y)
        case _:
            return


def _draw_triangle(group: Element, x: float, y: float) -> None:
    points = path("M", x - 5, y + _HALF - 1, "l 4.5 -9 l 4.5 9 Z")
    add(group, "path", look="halo", d=points)
    add(group, "path", look="solid bad", d=points)


def _draw_brackets(group: Element, bar: WaitBar) -> None:
    left, right, top, bottom = bar.left, bar.right, bar.y - _HALF, bar.y + _HALF
    line(group, path("M", left + 3, top, "H", left, "V", bottom, "h", 3), "thick wait")
    if bar.closed:
        line(group, path("M", right - 3, top, "H", right, "V", bottom, "h", -3), "thick wait")


def _box(group: Element, look: str, left: float, right: float, y: float) -> None:
    add(
        group,
        "rect",
        look=look,
        x=left,
        y=y - _HALF,
        width=max(right - left, 0),
        height=m.BAR,
        rx=1,
    )


def _upright(x: float, y: float, reach: float) -> str:
    return path("M", x, y - reach, "V", y + reach)


def _slanted(x: float, y: float) -> str:
    return path("M", x - 3, y + _OVER, "L", x + 3, y - _OVER)
