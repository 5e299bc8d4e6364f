"""SVG elements, with text and attributes that cannot break the document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import Element, SubElement

if TYPE_CHECKING:
    from schedule_bridge.simulate.outcome import Hue

_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def add(parent: Element, tag: str, *, look: str = "", **attributes: float | str) -> Element:
    """A new child; numbers without needless digits, `_` in names as `-`, `look` is its class."""
    shown = {name.replace("_", "-"): _show(value) for name, value in attributes.items()}
    return SubElement(parent, tag, {"class": look, **shown} if look else shown)


def add_text(parent: Element, tag: str, text: str, *, look: str = "", **at: float | str) -> Element:
    """A new child that holds a text; what XML cannot hold shows as a replacement character."""
    element = add(parent, tag, look=look, **at)
    element.text = _NOT_IN_XML.sub("\ufffd", text)
    return element


def path(*parts: float | str) -> str:
    """A path's data, of commands and numbers such as `"M", 0, 0, "L", 4, 4`."""
    return " ".join(map(_show, parts))


def line(parent: Element, points: str, look: str) -> None:
    """A path that is drawn as `look` says."""
    add(parent, "path", look=look, d=points)


def haloed(parent: Element, points: str, hue: Hue) -> None:
    """A thick line that keeps a halo of the background around itself."""
    line(parent, points, "halo")
    line(parent, points, f"cap {hue}")


def _show(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
