"""The band of one trigger: heading, rows, baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from schedule_bridge.core.model import OverlapPolicy
from schedule_bridge.simulate.counts import count
from schedule_bridge.simulate.outcome import WORDS
from schedule_bridge.simulate.picture import measures as m
from schedule_bridge.simulate.picture import shapes
from schedule_bridge.simulate.picture.bars import run_bars, wait_bars
from schedule_bridge.simulate.picture.rows import mark_row, run_row, wait_row
from schedule_bridge.simulate.story import Run, Wait
from schedule_bridge.simulate.times import elapsed

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from schedule_bridge.simulate.picture.scale import Scale
    from schedule_bridge.simulate.story import Mark, Story

Shape = TypeVar("Shape", shapes.Mark, shapes.Stem, shapes.RunBar, shapes.WaitBar, shapes.Arrow)


class _Rows:
    """The rows of a band, one below the other."""

    def __init__(self, story: Story, scale: Scale, top: float) -> None:
        self.small = m.TICK * len(story.marks) > scale.width
        self.firings = mark_row(story, scale, top, small=self.small)
        below = max(self.firings.bottom, top + m.LANE) + m.ROW_GAP
        self.waiting = wait_row(story, scale, below)
        below = self.waiting.bottom + (m.ROW_GAP if story.waits else 0)
        self.runs = run_row(story, scale, below)
        self.bottom = max(self.runs.bottom, below + m.LANE)
        self._lanes: dict[Run | Wait, int] = {**dict(self.waiting.placed), **dict(self.runs.placed)}

    def top_of(self, thing: Run | Wait) -> float | None:
        """Where the bar of a thing begins, or None if it is not drawn."""
        lane = self._lanes.get(thing)
        if lane is None:
            return None
        middle = self.runs.y(lane) if isinstance(thing, Run) else self.waiting.y(lane)
        return middle - m.BAR / 2


def lay_out_band(story: Story, scale: Scale, top: float) -> shapes.Band:
    """The band, from `top` on."""
    rows = _Rows(story, scale, top + m.HEADING)
    notes = tuple(_notes(rows))
    return shapes.Band(
        top=top,
        baseline=rows.bottom + len(notes) * m.NOTE + m.ROW_GAP,
        title=story.config.name or story.config.trigger_id,
        aside=_policy(story),
        sentence=count(story),
        rows=tuple(_labels(rows, "ticks" if story.ticks_only else "firings")),
        notes=notes,
        marks=_apart(_marks(rows, scale)),
        stems=_apart(_stems(rows, scale)),
        waits=_apart(wait_bars(rows.waiting, scale)),
        runs=_apart(run_bars(rows.runs, scale)),
        arrows=_apart(_arrows(rows, scale)),
    )


def _policy(story: Story) -> str:
    if story.config.policy is OverlapPolicy.ALLOW:
        return f"allow, at most {story.config.max_concurrent} at once"
    return story.config.policy.value


def _labels(rows: _Rows, firings: str) -> Iterator[shapes.Label]:
    yield shapes.Label(m.MARGIN, rows.firings.y(0), firings)
    if rows.waiting.placed:
        yield shapes.Label(m.MARGIN, rows.waiting.y(0), "waiting")
    yield shapes.Label(m.MARGIN, rows.runs.y(0), "runs")


def _notes(rows: _Rows) -> Iterator[shapes.Label]:
    hidden = [(rows.waiting.hidden, "waiting"), (rows.runs.hidden, "running")]
    said = [f"{number} more {what}" for number, what in hidden if number]
    if said:
        text = f"Not drawn: {', '.join(said)} at the same time."
        yield shapes.Label(m.MARGIN + m.LABELS, rows.bottom + m.NOTE / 2, text)


def _marks(rows: _Rows, scale: Scale) -> Iterator[shapes.Mark]:
    for mark, lane in rows.firings.placed:
        x, y = scale.x(mark.at), rows.firings.y(lane)
        yield shapes.Mark(mark.outcome, x, y, rows.small, _says(mark))


def _says(mark: Mark) -> str:
    reason = f" ({mark.reason})" if mark.reason else ""
    return f"{elapsed(mark.at)} {WORDS[mark.outcome]}{reason}"


def _stems(rows: _Rows, scale: Scale) -> Iterator[shapes.Stem]:
    reach = m.MARK_REACH * (m.SMALL if rows.small else 1)
    for mark, lane in rows.firings.placed:
        bottom = None if mark.into is None else rows.top_of(mark.into)
        if bottom is not None:
            x, top = scale.x(mark.at), rows.firings.y(lane) + reach
            yield shapes.Stem(mark.outcome, x, top, bottom)


def _arrows(rows: _Rows, scale: Scale) -> Iterator[shapes.Arrow]:
    for wait, lane in rows.waiting.placed:
        bottom = None if wait.becomes is None else rows.top_of(wait.becomes)
        if wait.becomes is not None and bottom is not None:
            x, top = scale.x(wait.becomes.start), rows.waiting.y(lane) + m.BAR / 2
            yield shapes.Arrow(x, top, bottom)


def _apart(made: Iterable[Shape]) -> tuple[Shape, ...]:
    """One of those that would fill the same pixels, so that a picture has a bounded size."""
    return tuple({_pixels(shape): shape for shape in made}.values())


def _pixels(shape: Shape) -> Hashable:
    match shape:
        case shapes.Mark():
            return (shape.outcome, round(shape.x), shape.y)
        case shapes.Stem():
            return (shape.outcome, round(shape.x), shape.bottom)
        case shapes.Arrow():
            return (round(shape.x), shape.bottom)
        case shapes.WaitBar():
            return (shape.outcome, round(shape.left), round(shape.right), shape.y)
        case _:
            return (shape.ending, round(shape.left), round(shape.right), shape.y)
