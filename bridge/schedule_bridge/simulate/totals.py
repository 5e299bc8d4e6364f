"""What came of many firings and of the runs that they made, in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.core.decisions import Verdict
from schedule_bridge.core.model import State

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True, frozen=True)
class Totals:
    """Each firing counts once in `runs` to `waiting`, each run once in `running` to its ends."""

    firings: int
    runs: int
    skipped: int
    merged: int
    dropped: int
    waiting: int
    running: int
    completed: int
    failed: int
    cancelled: int
    expired: int
    interrupted: int


def count(verdicts: Iterable[Verdict], runs: Iterable[State]) -> Totals:
    """Counts what came of firings, and how the runs stand that have started."""
    of_firings, of_runs = Counter(verdicts), Counter(runs)
    ended = {state: of_runs[state] for state in State if state.terminal}
    final = (Verdict.STARTED, Verdict.SKIPPED, Verdict.MERGED, Verdict.DROPPED)
    return Totals(
        firings=of_firings.total(),
        runs=of_firings[Verdict.STARTED],
        skipped=of_firings[Verdict.SKIPPED],
        merged=of_firings[Verdict.MERGED],
        dropped=of_firings[Verdict.DROPPED],
        waiting=of_firings.total() - sum(of_firings[verdict] for verdict in final),
        running=of_firings[Verdict.STARTED] - sum(ended.values()),
        **{state.value: number for state, number in ended.items()},
    )
