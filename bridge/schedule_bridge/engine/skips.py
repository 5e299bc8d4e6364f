"""Triggers that keep skipping: how often, since when, behind which run.

A streak lives as long as the run behind which firings are skipped, so there are never more of
them than active executions, and nothing is stored: it is read back from the decisions.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from schedule_bridge.core.decisions import Verdict
from schedule_bridge.core.model import Reason
from schedule_bridge.store import SkipStreak

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import ExecutionId, LockKey, TriggerId

OVERLAP = (Reason.ACTIVE, Reason.MAX_CONCURRENT)
"""Reasons of a skip that an active run caused (R4, R6)."""


class Skips:
    """The streaks that last."""

    def __init__(self, streaks: Iterable[SkipStreak] = ()) -> None:
        self._of: dict[TriggerId, dict[LockKey, SkipStreak]] = defaultdict(dict)
        self._behind: dict[ExecutionId, set[tuple[TriggerId, LockKey]]] = defaultdict(set)
        for streak in streaks:
            self._set(streak)

    def longest(self, trigger_id: TriggerId) -> SkipStreak | None:
        """The trigger's streak with the most skips, over all lock keys."""
        streaks = self._of.get(trigger_id)
        return max(streaks.values(), key=lambda streak: streak.count) if streaks else None

    def decided(self, decision: Decision) -> None:
        """Counts a skip behind a run; any other outcome of a firing ends the streak of its key."""
        if decision.verdict is Verdict.MISSED:
            return
        known = self._of.get(decision.trigger_id, {}).get(decision.lock_key)
        if decision.verdict is not Verdict.SKIPPED:
            self._drop(known)
        elif decision.reason in OVERLAP and decision.in_the_way:
            self._skipped(decision, known)

    def ended(self, execution_id: ExecutionId) -> None:
        """Nothing is behind this run any more."""
        for trigger_id, lock_key in list(self._behind.get(execution_id, ())):
            self._drop(self._of[trigger_id][lock_key])

    def _skipped(self, decision: Decision, known: SkipStreak | None) -> None:
        oldest = decision.in_the_way[0]
        if known is not None and known.execution_id == oldest:
            known.count += 1
            return
        self._drop(known)
        first = SkipStreak(decision.trigger_id, decision.lock_key, oldest, 1, decision.fired_at)
        self._set(first)

    def _set(self, streak: SkipStreak) -> None:
        self._of[streak.trigger_id][streak.lock_key] = streak
        self._behind[streak.execution_id].add((streak.trigger_id, streak.lock_key))

    def _drop(self, streak: SkipStreak | None) -> None:
        if streak is None:
            return
        of, behind = self._of[streak.trigger_id], self._behind[streak.execution_id]
        del of[streak.lock_key]
        behind.discard((streak.trigger_id, streak.lock_key))
        if not of:
            del self._of[streak.trigger_id]
        if not behind:
            del self._behind[streak.execution_id]
