"""Things that overlap are put side by side, each on the first lane that is free."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def assign_lanes(extents: Iterable[tuple[float, float]], most: int) -> list[int | None]:
    """A lane for each (from, to), which are sorted by `from`; None where all lanes are taken."""
    free = list(range(most))
    taken: list[tuple[float, int]] = []
    lanes: list[int | None] = []
    for begin, end in extents:
        while taken and taken[0][0] <= begin:
            heappush(free, heappop(taken)[1])
        lane = heappop(free) if free else None
        lanes.append(lane)
        if lane is not None:
            heappush(taken, (end, lane))
    return lanes
