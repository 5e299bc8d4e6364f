"""Draws a layout as a stand-alone SVG document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import Element, tostring

from schedule_bridge.simulate.outcome import HUES
from schedule_bridge.simulate.picture import measures as m
from schedule_bridge.simulate.picture.bar_drawing import draw_run, draw_wait
from schedule_bridge.simulate.picture.fitting import fit
from schedule_bridge.simulate.picture.glyphs import draw_mark
from schedule_bridge.simulate.picture.style import add_style
from schedule_bridge.simulate.picture.svg import add, add_text, line, path

if TYPE_CHECKING:
    from schedule_bridge.simulate.picture.shapes import Arrow, Band, Entry, Label, Picture

_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_ASCENT: Final = 4
"""From the middle of a text to its baseline."""
_RULE: Final = 28
"""From a band's top to the line under its heading."""


def draw(picture: Picture) -> str:
    """The picture as the text of an SVG file, for light and dark surroundings."""
    size = {"width": path(picture.width), "height": path(picture.height)}
    box = path(0, 0, picture.width, picture.height)
    root = Element("svg", {"xmlns": _NAMESPACE, "role": "img", "viewBox": box, **size})
    add_text(root, "title", "What the scenario does")
    add_text(root, "desc", " ".join(f"{band.title}: {band.sentence}" for band in picture.bands))
    add_style(root)
    add(root, "rect", look="ground", width=picture.width, height=picture.height)
    for band in picture.bands:
        _draw_band(root, picture, band)
    for entry in picture.legend:
        _draw_entry(root, entry)
    _break_lines(root)
    return tostring(root, encoding="unicode")


def draw_plot(picture: Picture) -> str:
    """The first band's firings, waits and runs alone, as the text of an SVG file without words."""
    band = picture.bands[0]
    left, top = picture.axis_left, band.top + m.HEADING - m.ROW_GAP
    width, height = picture.right - left, band.baseline + m.ROW_GAP - top
    size = {"width": path(width), "height": path(height)}
    root = Element("svg", {"xmlns": _NAMESPACE, "viewBox": path(left, top, width, height), **size})
    add_style(root)
    add(root, "rect", look="ground", x=left, y=top, width=width, height=height)
    baseline = path("M", left, band.baseline, "H", picture.right)
    line(root, baseline, "baseline")
    _draw_things(root, band)
    _break_lines(root)
    return tostring(root, encoding="unicode")


def _break_lines(root: Element) -> None:
    """An element a line, but for parts of a text, where a new line would show as a space."""
    for element in root.iter():
        element.tail = "" if element.tag == "tspan" else "\n"


def _draw_band(root: Element, picture: Picture, band: Band) -> None:
    group = add(root, "g")
    _draw_heading(group, picture, band)
    _draw_axis(group, picture, band)
    _draw_things(group, band)


def _draw_things(group: Element, band: Band) -> None:
    for stem in band.stems:
        points = path("M", stem.x, stem.top, "V", stem.bottom)
        line(group, points, f"thin {HUES[stem.outcome]}")
    for wait in band.waits:
        draw_wait(group, wait)
    for run in band.runs:
        draw_run(group, run)
    for arrow in band.arrows:
        _draw_arrow(group, arrow)
    for mark in band.marks:
        drawn = draw_mark(group, mark.outcome, mark.x, mark.y, small=mark.small)
        add_text(drawn, "title", mark.says)


def _draw_heading(group: Element, picture: Picture, band: Band) -> None:
    y = band.top + 18
    room = picture.right - picture.left
    title, aside = fit(band.title, f" · {band.aside}", band.sentence, room)
    heading = add(group, "text", x=picture.left, y=y)
    add_text(heading, "tspan", title, look="title")
    add_text(heading, "tspan", aside, look="faint")
    add_text(group, "text", band.sentence, look="sentence faint", x=picture.right, y=y)
    rule = band.top + _RULE
    line(group, path("M", picture.left, rule, "H", picture.right), "hairline")


def _draw_axis(group: Element, picture: Picture, band: Band) -> None:
    top, bottom = band.top + m.HEADING, band.baseline
    for hour in picture.hours:
        line(group, path("M", hour.x, top, "V", bottom), "hairline")
        add_text(group, "text", hour.label, look="hour faint", x=hour.x, y=bottom + 15)
    line(group, path("M", picture.axis_left, bottom, "H", picture.right), "baseline")
    for label in (*band.rows, *band.notes):
        _draw_label(group, label)


def _draw_label(group: Element, label: Label) -> None:
    add_text(group, "text", label.text, look="faint", x=label.x, y=label.y + _ASCENT)


def _draw_arrow(group: Element, arrow: Arrow) -> None:
    x, tip = arrow.x, arrow.bottom
    line(group, path("M", x, arrow.top, "V", tip - 3), "thin wait")
    line(group, path("M", x - 3, tip - 5, "h 6 l -3 5 Z"), "solid wait")


def _draw_entry(root: Element, entry: Entry) -> None:
    draw_mark(root, entry.outcome, entry.x + 7, entry.y, small=False)
    add_text(root, "text", entry.text, look="faint", x=entry.x + 20, y=entry.y + _ASCENT)
