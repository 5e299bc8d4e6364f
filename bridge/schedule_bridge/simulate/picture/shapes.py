"""What a picture is made of: plain data with coordinates, in CSS pixels from the top left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedule_bridge.simulate.outcome import Outcome


@dataclass(slots=True, frozen=True)
class Mark:
    """What came of a firing, centred at a point. Small ones stand close together."""

    outcome: Outcome
    x: float
    y: float
    small: bool
    says: str


@dataclass(slots=True, frozen=True)
class Stem:
    """The line down from a mark to the bar that it began."""

    outcome: Outcome
    x: float
    top: float
    bottom: float


@dataclass(slots=True, frozen=True)
class RunBar:
    """A run, from `left` to `right`; `y` is its middle. No ending: it outlasts the picture.

    `lost` is where a cancelled run would have ended, or where the next bar of its lane begins.
    """

    left: float
    right: float
    y: float
    ending: Outcome | None
    lost: float | None
    says: str


@dataclass(slots=True, frozen=True)
class WaitBar:
    """A stretch of waiting; `crossings` are where firings merged into it.

    `closed` at the right when the stretch ended within the picture, `cancelled` when it was cut.
    """

    outcome: Outcome
    left: float
    right: float
    y: float
    closed: bool
    cancelled: bool
    crossings: tuple[float, ...]
    says: str


@dataclass(slots=True, frozen=True)
class Arrow:
    """From the end of a wait down to the run that it became."""

    x: float
    top: float
    bottom: float


@dataclass(slots=True, frozen=True)
class Label:
    """A text that begins at `x`, its middle at `y`."""

    x: float
    y: float
    text: str


@dataclass(slots=True, frozen=True)
class Band:
    """The part of the picture that belongs to one trigger.

    `rows` are the labels at the left, `notes` say what is not drawn; hairlines reach from `rows`
    down to `baseline`.
    """

    top: float
    baseline: float
    title: str
    aside: str
    sentence: str
    rows: tuple[Label, ...]
    notes: tuple[Label, ...]
    marks: tuple[Mark, ...]
    stems: tuple[Stem, ...]
    waits: tuple[WaitBar, ...]
    runs: tuple[RunBar, ...]
    arrows: tuple[Arrow, ...]


@dataclass(slots=True, frozen=True)
class Hour:
    """A round time on the axis of every band."""

    x: float
    label: str


@dataclass(slots=True, frozen=True)
class Entry:
    """An entry of the legend: the outcome's mark or end, and its words."""

    outcome: Outcome
    x: float
    y: float
    text: str


@dataclass(slots=True, frozen=True)
class Picture:
    """All of it; bands reach from `left` to `right`, the axis from `axis_left` on."""

    width: float
    height: float
    left: float
    axis_left: float
    right: float
    bands: tuple[Band, ...]
    hours: tuple[Hour, ...]
    legend: tuple[Entry, ...]
