"""What history says of a trigger's firings: when they came, how long their runs took."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from schedule_bridge.core.decisions import Verdict
from schedule_bridge.core.model import ExecutionId, State
from schedule_bridge.simulate.scenario import RunTime

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import Duration, Execution, Instant

_BY_ITSELF = (State.COMPLETED, State.FAILED, State.CANCELLED)
_AT_ONCE = 1


@dataclass(slots=True, frozen=True)
class Past:
    """The decisions on a trigger's firings, oldest first, and its executions, up to `now`."""

    decisions: Sequence[Decision]
    executions: Sequence[Execution]
    now: Instant

    def median(self) -> Duration | None:
        """The run time in the middle of those that ended by themselves, or of all that began.

        None: no run has begun yet.
        """
        times = [_ran(run, self.now) for run in self.executions if _ended_by_itself(run)]
        times = times or [_ran(run, self.now) for run in self.executions if _has_begun(run)]
        return int(median(times)) if times else None

    def run_times(self) -> list[RunTime]:
        """How long the run of each firing took or would have taken, in the order of firings."""
        runs = {run.execution_id: run for run in self.executions}
        usual = self.median() or 0
        return [_run_time(_own_run(each, runs), usual, self.now) for each in self.decisions]

    def runs(self) -> Iterable[Execution]:
        """The runs that the firings made themselves."""
        runs = {run.execution_id: run for run in self.executions}
        own = (_own_run(decision, runs) for decision in self.decisions)
        return (run for run in own if run is not None)


def _own_run(decision: Decision, runs: dict[ExecutionId, Execution]) -> Execution | None:
    """The run that a firing made; one that was merged into another's made none."""
    started = decision.verdict is Verdict.STARTED and decision.execution_id is not None
    return runs.get(decision.execution_id or ExecutionId("")) if started else None


def _run_time(run: Execution | None, usual: Duration, now: Instant) -> RunTime:
    """The real run time, where there is one.

    A run that expired would not have ended by itself; one that something else stopped, or that
    still goes on, takes the usual time, or what it has taken if that is longer.
    """
    if run is None or not _has_begun(run):
        return RunTime(max(usual, _AT_ONCE), State.COMPLETED)
    if run.state is State.EXPIRED:
        return RunTime(None, State.COMPLETED)
    if _ended_by_itself(run):
        return RunTime(max(_ran(run, now), _AT_ONCE), run.state)
    return RunTime(max(_ran(run, now), usual, _AT_ONCE), State.COMPLETED)


def _has_begun(run: Execution) -> bool:
    return run.started_at is not None


def _ended_by_itself(run: Execution) -> bool:
    return _has_begun(run) and run.state in _BY_ITSELF and run.reason is None


def _ran(run: Execution, now: Instant) -> Duration:
    began = now if run.started_at is None else run.started_at
    return max((now if run.ended_at is None else run.ended_at) - began, 0)
