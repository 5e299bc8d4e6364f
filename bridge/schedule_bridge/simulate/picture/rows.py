"""The three rows of a band: firings, waiting, runs; each thing gets its lane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from schedule_bridge.simulate.outcome import Outcome
from schedule_bridge.simulate.picture import measures as m
from schedule_bridge.simulate.picture.lanes import assign_lanes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedule_bridge.core.model import Duration
    from schedule_bridge.simulate.picture.scale import Scale
    from schedule_bridge.simulate.story import Mark, Run, Story, Wait

Thing = TypeVar("Thing")
_CUT: Final = (Outcome.CANCELLED, Outcome.TERMINATED, Outcome.EXPIRED)


@dataclass(slots=True)
class Row(Generic[Thing]):
    """Things with their lanes, 0 at the top; `hidden` found none. `height` is 0 without any."""

    placed: list[tuple[Thing, int]]
    hidden: int
    top: float

    @property
    def lanes(self) -> int:
        """How many lanes are in use."""
        return max((lane + 1 for _, lane in self.placed), default=0)

    @property
    def bottom(self) -> float:
        """Where the row ends."""
        return self.top + self.lanes * m.LANE

    def y(self, lane: int) -> float:
        """The middle of a lane."""
        return self.top + lane * m.LANE + m.LANE / 2


def mark_row(story: Story, scale: Scale, top: float, *, small: bool) -> Row[Mark]:
    """Marks that would cover each other stand below each other, as far as there is room."""
    size = m.SMALL_TICK if small else m.TICK
    lanes = assign_lanes(
        ((scale.x(mark.at), scale.x(mark.at) + size) for mark in story.marks), m.MARK_LANES
    )
    last = m.MARK_LANES - 1
    placed = [
        (mark, last if lane is None else lane)
        for mark, lane in zip(story.marks, lanes, strict=True)
    ]
    return Row(placed, 0, top)


def wait_row(story: Story, scale: Scale, top: float) -> Row[Wait]:
    """A lane for each thing that waits at the same time."""
    return _bar_row(story.waits, lambda wait: (wait.start, _end(wait, scale)), top)


def run_row(story: Story, scale: Scale, top: float) -> Row[Run]:
    """A lane for each concurrent run; a cut bar and its successor use two."""
    return _bar_row(story.runs, lambda run: (run.start, _end_of_run(run, scale)), top)


def _bar_row(
    things: Sequence[Thing], extent: Callable[[Thing], tuple[Duration, Duration]], top: float
) -> Row[Thing]:
    lanes = assign_lanes(map(extent, things), m.BAR_LANES)
    placed = [(thing, lane) for thing, lane in zip(things, lanes, strict=True) if lane is not None]
    return Row(placed, len(things) - len(placed), top)


def _end(thing: Wait | Run, scale: Scale) -> Duration:
    """What outlasts the scenario keeps its lane, even if it begins at the last instant."""
    return scale.span + 1 if thing.end is None else thing.end


def _end_of_run(run: Run, scale: Scale) -> Duration:
    """A cut run's lane is taken for a moment longer, so that its successor goes elsewhere."""
    return _end(run, scale) + (run.ending in _CUT)
