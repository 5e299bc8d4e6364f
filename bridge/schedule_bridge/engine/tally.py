"""What the engine has done since the process began, in numbers; only what is durable counts."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.core.decisions import Decision, Verdict
    from schedule_bridge.core.model import Execution, State
    from schedule_bridge.store import MissedStretch


class Spread:
    """How many values lay at or below each bound, how many there were, and their sum."""

    def __init__(self, *bounds: float) -> None:
        self.bounds = bounds
        self.total = 0.0
        self._counts = [0] * (len(bounds) + 1)

    def add(self, value: float) -> None:
        """Takes in one value."""
        self.total += value
        self._counts[bisect_left(self.bounds, value)] += 1

    def cumulated(self) -> Sequence[int]:
        """One count for each bound, and that of all values as the last."""
        return list(accumulate(self._counts))


@dataclass(slots=True)
class Tally:
    """Counts by small sets of words, never by trigger or execution."""

    decisions: Counter[tuple[Verdict, str]] = field(default_factory=Counter)
    ends: Counter[State] = field(default_factory=Counter)
    missed_ticks: Counter[str] = field(default_factory=Counter)
    commit_rows: Spread = field(
        default_factory=lambda: Spread(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
    )
    commit_seconds: Spread = field(
        default_factory=lambda: Spread(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5)
    )
    failed_commits: int = 0

    def decided(self, decision: Decision) -> None:
        """What came of a firing."""
        self.decisions[decision.verdict, decision.reason or ""] += 1

    def ended(self, execution: Execution) -> None:
        """An execution has ended."""
        self.ends[execution.state] += 1

    def missed(self, stretch: MissedStretch) -> None:
        """Ticks that did not become firings."""
        self.missed_ticks[stretch.reason] += stretch.ticks

    def committed(self, rows: int, seconds: float) -> None:
        """One commit is durable."""
        self.commit_rows.add(rows)
        self.commit_seconds.add(seconds)
