"""Where everything of the picture stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.model import SECOND
from schedule_bridge.simulate.picture import measures as m
from schedule_bridge.simulate.picture.axis import round_times
from schedule_bridge.simulate.picture.band import lay_out_band
from schedule_bridge.simulate.picture.legend import lay_out_legend
from schedule_bridge.simulate.picture.scale import scale_for
from schedule_bridge.simulate.picture.shapes import Band, Hour, Picture
from schedule_bridge.simulate.telling import tell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.simulate.output import Printed
    from schedule_bridge.simulate.picture.scale import Scale
    from schedule_bridge.simulate.scenario import Scenario
    from schedule_bridge.simulate.story import Story


def lay_out(
    scenario: Scenario, printed: Iterable[Printed], *, narrowest: float = m.NARROWEST
) -> Picture:
    """The picture of what a scenario printed: a band for each trigger, one axis, a legend.

    The plot is `narrowest` pixels wide, or wider where many firings need it.
    """
    stories = tell(scenario, printed)
    span = max(scenario.until - scenario.start, 0) or SECOND
    scale = scale_for(stories, span, narrowest)
    bands = _stack(stories, scale)
    bottom = bands[-1].baseline + m.AXIS if bands else m.MARGIN
    legend = tuple(lay_out_legend(bands, bottom, scale.right))
    return Picture(
        width=scale.right + m.MARGIN,
        height=(legend[-1].y + m.ENTRY / 2 if legend else bottom) + m.MARGIN / 2,
        left=m.MARGIN,
        axis_left=m.MARGIN + m.LABELS,
        right=scale.right,
        bands=bands,
        hours=tuple(Hour(scale.x(at), label) for at, label in round_times(scenario.start, span)),
        legend=legend,
    )


def _stack(stories: Iterable[Story], scale: Scale) -> tuple[Band, ...]:
    bands: list[Band] = []
    top: float = m.MARGIN / 2
    for story in stories:
        bands.append(lay_out_band(story, scale, top))
        top = bands[-1].baseline + m.AXIS + m.BAND_GAP
    return tuple(bands)
