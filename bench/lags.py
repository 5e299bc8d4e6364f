"""How late things were, in short."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.row import Figures


def lag_figures(late: Sequence[float]) -> Figures:
    """The median and the 99th percentile of so many seconds, in milliseconds."""
    ordered = sorted(late)
    return {
        "median": 1000 * ordered[len(ordered) // 2],
        "p99": 1000 * ordered[len(ordered) * 99 // 100],
    }
