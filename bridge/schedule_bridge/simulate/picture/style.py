"""The colours, light and dark, and the patterns of the picture.

Colours are written out in each rule, as viewers other than browsers know no CSS variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from schedule_bridge.simulate.outcome import Hue
from schedule_bridge.simulate.picture.svg import add, add_text, line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from xml.etree.ElementTree import Element


@dataclass(slots=True, frozen=True)
class _Palette:
    ground: str
    text: str
    faint: str
    hairline: str
    hues: Mapping[Hue, str]
    soft: Mapping[Hue, str]


_LIGHT: Final = _Palette(
    ground="#ffffff",
    text="#1d1d1f",
    faint="#606060",
    hairline="#dddddd",
    hues={Hue.RUN: "#0d74ce", Hue.WAIT: "#9a5b00", Hue.NONE: "#6b6b6b", Hue.BAD: "#b3152a"},
    soft={Hue.WAIT: "#fbe7c2", Hue.BAD: "#f9dcdf"},
)
_DARK: Final = _Palette(
    ground="#1c1c22",
    text="#eeeeee",
    faint="#a8a8a8",
    hairline="#3a3a42",
    hues={Hue.RUN: "#5cb3ff", Hue.WAIT: "#f1a10d", Hue.NONE: "#9a9a9a", Hue.BAD: "#ff6369"},
    soft={Hue.WAIT: "#40300d", Hue.BAD: "#4a1a20"},
)

_SHAPES: Final = """
text{font-family:"Helvetica Neue",Arial,Helvetica,sans-serif;font-size:12px;\
font-variant-numeric:tabular-nums}
.title{font-size:15px;font-weight:bold}
.hour{font-size:11px;text-anchor:middle}
.sentence{text-anchor:end}
path,.lost{fill:none}
.hairline,.baseline{stroke-width:1}
.thin{stroke-width:1.3}
.thick,.open,.soft{stroke-width:1.6}
.cap{stroke-width:2.2}
.halo{stroke-width:5.2}
.lost{stroke-dasharray:3 2}
.dashed{stroke-dasharray:3 1.8}
"""


def add_style(parent: Element) -> None:
    """The style sheet, and the patterns that it names."""
    dark = f"@media (prefers-color-scheme:dark){{\n{_colours(_DARK)}}}\n"
    add_text(parent, "style", f"{_SHAPES}{_colours(_LIGHT)}{dark}")
    definitions = add(parent, "defs")
    _add_hatch(definitions, Hue.WAIT, "M -2 2 l 4 -4 M 0 6 l 6 -6 M 4 8 l 4 -4")
    _add_hatch(definitions, Hue.BAD, "M -2 4 l 4 4 M 0 0 l 6 6 M 4 -2 l 4 4")
    stripes = _add_pattern(definitions, "striped-wait", 4, Hue.WAIT)
    line(stripes, "M 2 0 V 6", f"thin {Hue.WAIT}")


def _add_hatch(definitions: Element, hue: Hue, points: str) -> None:
    line(_add_pattern(definitions, f"hatched-{hue}", 6, hue), points, f"thin {hue}")


def _add_pattern(definitions: Element, name: str, width: float, hue: Hue) -> Element:
    units = "userSpaceOnUse"
    pattern = add(definitions, "pattern", id=name, width=width, height=6, patternUnits=units)
    add(pattern, "rect", look=f"plain {hue}", width=width, height=6)
    return pattern


def _colours(palette: _Palette) -> str:
    rules = [
        f".ground,.open{{fill:{palette.ground}}}",
        f".halo{{stroke:{palette.ground}}}",
        f"text{{fill:{palette.text}}}",
        f".faint{{fill:{palette.faint}}}",
        f".hairline{{stroke:{palette.hairline}}}",
        f".baseline{{stroke:{palette.faint}}}",
        f".lost{{stroke:{palette.hues[Hue.RUN]}}}",
    ]
    for hue, colour in palette.hues.items():
        rules.append(f".{hue}{{stroke:{colour}}}")
        rules.append(f".solid.{hue}{{fill:{colour};stroke:none}}")
    for hue, colour in palette.soft.items():
        rules.append(f".soft.{hue}{{fill:{colour}}}")
        rules.append(f".plain.{hue}{{fill:{colour};stroke:none}}")
        rules.append(f".hatched.{hue}{{fill:url(#hatched-{hue})}}")
    rules.append(".striped.wait{fill:url(#striped-wait)}")
    return "\n".join(rules) + "\n"
