"""From times to pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.simulate.picture import measures as m

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.model import Duration
    from schedule_bridge.simulate.story import Story


@dataclass(slots=True, frozen=True)
class Scale:
    """Where the plot begins, how wide it is, and how much time it shows."""

    left: float
    width: float
    span: Duration

    def x(self, at: Duration) -> float:
        """The place of a time after the start, to a tenth of a pixel."""
        return round(self.left + self.width * at / self.span, 1)

    @property
    def right(self) -> float:
        """Where the axis ends, and with it whatever outlasts the scenario."""
        return self.left + self.width + m.INSET


def scale_for(stories: Iterable[Story], span: Duration, narrowest: float) -> Scale:
    """Wide enough for the marks of the busiest trigger, within bounds."""
    most = max((len(story.marks) for story in stories), default=0)
    width = min(max(narrowest, m.TICK * most), m.WIDEST)
    return Scale(m.MARGIN + m.LABELS + m.INSET, width, span)
