"""From waits and runs on their lanes to bars with coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.simulate.outcome import WORDS, Outcome
from schedule_bridge.simulate.picture import measures as m
from schedule_bridge.simulate.picture.shapes import RunBar, WaitBar
from schedule_bridge.simulate.times import elapsed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedule_bridge.core.model import Duration
    from schedule_bridge.simulate.picture.rows import Row
    from schedule_bridge.simulate.picture.scale import Scale
    from schedule_bridge.simulate.story import Run, Stretch, Wait


def run_bars(row: Row[Run], scale: Scale) -> Iterator[RunBar]:
    """The bars of the runs; what a cancelled one lost reaches up to the next bar of its lane."""
    next_left: dict[int, float] = {}
    for run, lane in reversed(row.placed):
        left, right = _extent(run.start, run.end, scale)
        bound = next_left.get(lane, scale.right)
        yield RunBar(left, right, row.y(lane), run.ending, _lost(run, bound, scale), _says_run(run))
        next_left[lane] = left


def wait_bars(row: Row[Wait], scale: Scale) -> Iterator[WaitBar]:
    """The bars of the waits, one for each stretch."""
    for wait, lane in row.placed:
        ends = [*(stretch.start for stretch in wait.stretches[1:]), wait.end]
        for stretch, end in zip(wait.stretches, ends, strict=True):
            yield _wait_bar(wait, stretch, end, row.y(lane), scale)


def _wait_bar(
    wait: Wait, stretch: Stretch, end: Duration | None, y: float, scale: Scale
) -> WaitBar:
    left, right = _extent(stretch.start, end, scale)
    return WaitBar(
        outcome=stretch.outcome,
        left=left,
        right=right,
        y=y,
        closed=end is not None,
        cancelled=wait.cancelled and end == wait.end,
        crossings=tuple(
            dict.fromkeys(
                scale.x(at)
                for at in wait.merges
                if stretch.start <= at and (end is None or at <= end)
            )
        ),
        says=f"{WORDS[stretch.outcome]}, {_when(stretch.start, end)}",
    )


def _extent(start: Duration, end: Duration | None, scale: Scale) -> tuple[float, float]:
    left = scale.x(start)
    return left, scale.right if end is None else max(scale.x(end), left + m.LEAST_BAR)


def _lost(run: Run, bound: float, scale: Scale) -> float | None:
    if run.ending is not Outcome.CANCELLED or run.end is None or run.expected_end is None:
        return None
    right = min(scale.x(run.expected_end), bound)
    return right if right > scale.x(run.end) + m.CAP else None


def _says_run(run: Run) -> str:
    ending = f", {WORDS[run.ending]}" if run.ending else ""
    return f"{run.execution_id}, {_when(run.start, run.end)}{ending}"


def _when(start: Duration, end: Duration | None) -> str:
    return f"from {elapsed(start)}" if end is None else f"{elapsed(start)} to {elapsed(end)}"
