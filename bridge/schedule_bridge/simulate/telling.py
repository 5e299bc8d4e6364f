"""Reads the printed events back into the story of each trigger."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

from schedule_bridge.core.model import SECOND, OverlapPolicy, TriggerId
from schedule_bridge.simulate.outcome import Outcome
from schedule_bridge.simulate.story import Mark, Run, Story, Stretch, Wait

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from schedule_bridge.core.model import Duration, TriggerConfig
    from schedule_bridge.simulate.output import Printed
    from schedule_bridge.simulate.scenario import Scenario, Step

_CUTS: Final = ("execution.cancelled", "job.cancelled")


def tell(scenario: Scenario, printed: Iterable[Printed]) -> list[Story]:
    """The story of every trigger of the scenario, in the order in which they are declared."""
    teller = _Teller(scenario)
    for event in printed:
        teller.hear(event)
    teller.make_changes_before(scenario.until - scenario.start + 1)
    return [line.story for line in teller.lines.values()]


@dataclass(slots=True)
class _Line:
    """A trigger's story while it is told, with what is open: delayed, held, just released.

    `delayed` is a heap by when they are ready. Printed events name no lock key of a delayed or
    buffered firing, so of several the one that is ready first, or the oldest, is taken.
    """

    story: Story
    policy: OverlapPolicy
    delayed: list[tuple[Duration, int, Wait]] = field(default_factory=list)
    held: deque[Wait] = field(default_factory=deque)
    released: Wait | None = None

    def origin(self, at: Duration) -> Wait | None:
        """The wait that this firing comes out of; None for a firing that has just come."""
        if self.released is not None:
            released, self.released = self.released, None
            return released
        if self.delayed and self.delayed[0][0] <= at:
            return heappop(self.delayed)[2]
        self.story.firings += 1
        return None

    def mark(
        self, at: Duration, outcome: Outcome, into: Run | Wait | None, reason: str | None = None
    ) -> None:
        self.story.marks.append(Mark(at, outcome, reason, into))

    def forget_held(self, at: Duration) -> None:
        """R14: a removed trigger's delayed and buffered firings are dropped, without a word.

        Those of the same instant are taken for firings of the trigger set again.
        """
        for wait in (*(wait for _, _, wait in self.delayed), *self.held):
            if wait.start < at:
                wait.end = at
        self.delayed = [entry for entry in self.delayed if entry[2].end is None]
        self.held = deque(wait for wait in self.held if wait.end is None)


class _Teller:
    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._changes = deque(
            step for step in scenario.steps if step.do in ("setTrigger", "removeTrigger")
        )
        self._terminated = _named_by_terminate(scenario)
        self._executions: dict[str, tuple[TriggerId, Run | Wait]] = {}
        self._starts: Counter[TriggerId] = Counter()
        self._without_jobs: set[str] = set()
        self._cut: list[Run] = []
        fired = {step.raw["triggerId"] for step in scenario.steps if step.do == "fire"}
        self.lines = {
            config.trigger_id: _Line(
                Story(config, ticks_only=config.trigger_id not in fired and not config.lock_keys),
                config.policy,
            )
            for config in _configurations(scenario)
        }
        self._hears: Mapping[str, Callable[[Printed, Duration], None]] = {
            "firing.skipped": self._gone(Outcome.SKIPPED),
            "firing.dropped": self._gone(Outcome.DROPPED),
            "firing.delayed": self._delayed,
            "firing.merged": self._merged,
            "firing.buffered": self._buffered,
            "firing.released": self._released,
            "firing.queued": self._waits(Outcome.QUEUED),
            "execution.waiting": self._waits(Outcome.QUEUED),
            "execution.onHold": self._waits(Outcome.ON_HOLD),
            "execution.started": self._started,
            "execution.completed": self._ended(Outcome.COMPLETED),
            "execution.failed": self._ended(Outcome.FAILED),
            "execution.expired": self._ended(Outcome.EXPIRED),
            "execution.cancelled": self._cancelled,
            "job.cancelled": self._job_cancelled,
        }

    def hear(self, event: Printed) -> None:
        at = round(event["at"] * SECOND)
        self.make_changes_before(at)
        self._hears[event["event"]](event, at)
        if event["event"] not in _CUTS:
            self._cut.clear()

    def make_changes_before(self, at: Duration) -> None:
        """Steps come last at an instant, so what is due at it was judged before them."""
        while self._changes and self._changes[0].at - self._scenario.start < at:
            self._change(self._changes.popleft())

    def _change(self, step: Step) -> None:
        if step.trigger is not None:
            self.lines[step.trigger.trigger_id].policy = step.trigger.policy
        elif (line := self.lines.get(TriggerId(step.raw["triggerId"]))) is not None:
            line.forget_held(step.at - self._scenario.start)

    # firings

    def _gone(self, outcome: Outcome) -> Callable[[Printed, Duration], None]:
        def hear(event: Printed, at: Duration) -> None:
            line = self._line(event)
            _end(line.origin(at), at)
            line.mark(at, outcome, None, event["reason"])

        return hear

    def _delayed(self, event: Printed, at: Duration) -> None:
        line = self._line(event)
        line.story.firings += 1
        wait = self._begin_wait(line, Outcome.DELAYED, at)
        heappush(line.delayed, (round(event["readyAt"] * SECOND), line.story.firings, wait))

    def _merged(self, event: Printed, at: Duration) -> None:
        line = self._line(event)
        if "executionId" in event:
            _end(line.origin(at), at)
            trigger_id, target = self._executions[event["executionId"]]
            own = trigger_id == event["triggerId"]
        else:
            line.story.firings += 1
            target, own = line.delayed[0][2], True
        if isinstance(target, Wait):
            target.merges.append(at)
        line.mark(at, Outcome.MERGED, target if own else None)

    def _buffered(self, event: Printed, at: Duration) -> None:
        line = self._line(event)
        line.held.append(self._wait_on(line, Outcome.HELD, at))

    def _released(self, event: Printed, at: Duration) -> None:
        """R10: the current firing is replaced by the held one, whose outcome is told next."""
        line = self._line(event)
        _end(line.origin(at), at)
        line.mark(at, Outcome.DROPPED, None, "replaced")
        line.released = line.held.popleft()

    # executions

    def _waits(self, outcome: Outcome) -> Callable[[Printed, Duration], None]:
        def hear(event: Printed, at: Duration) -> None:
            line, execution_id = self._line(event), event["executionId"]
            known = self._executions.get(execution_id)
            if known is not None and isinstance(known[1], Wait):
                known[1].stretches.append(Stretch(outcome, at))
                return
            self._judge_cuts(line, at)
            self._executions[execution_id] = event["triggerId"], self._wait_on(line, outcome, at)

        return hear

    def _started(self, event: Printed, at: Duration) -> None:
        line, execution_id = self._line(event), event["executionId"]
        run = Run(execution_id, at, self._expected_end(event["triggerId"], at))
        line.story.runs.append(run)
        known = self._executions.get(execution_id)
        if known is None:
            self._judge_cuts(line, at)
        wait = line.origin(at) if known is None else known[1]
        if isinstance(wait, Wait):
            wait.end, wait.becomes = at, run
        else:
            line.mark(at, Outcome.STARTED, run)
        self._executions[execution_id] = event["triggerId"], run

    def _expected_end(self, trigger_id: TriggerId, at: Duration) -> Duration | None:
        runs = self._scenario.runs.get(trigger_id)
        if runs is None:
            return None
        nth = self._starts[trigger_id]
        self._starts[trigger_id] += 1
        return at + runs.duration(nth)

    def _ended(self, ending: Outcome) -> Callable[[Printed, Duration], None]:
        def hear(event: Printed, at: Duration) -> None:
            self._end_execution(event, at, ending)

        return hear

    def _cancelled(self, event: Printed, at: Duration) -> None:
        execution_id = event["executionId"]
        halted = execution_id in self._without_jobs or (execution_id, at) in self._terminated
        self._end_execution(event, at, Outcome.TERMINATED if halted else Outcome.CANCELLED)

    def _end_execution(self, event: Printed, at: Duration, ending: Outcome) -> None:
        match self._executions[event["executionId"]][1]:
            case Wait() as wait:
                wait.end, wait.cancelled = at, True
            case run:
                run.end, run.ending = at, ending
                self._cut.append(run)

    def _job_cancelled(self, event: Printed, _at: Duration) -> None:
        self._without_jobs.add(event["executionId"])

    def _judge_cuts(self, line: _Line, at: Duration) -> None:
        """What a firing cuts just before it proceeds was terminated where its policy says so."""
        if line.policy is OverlapPolicy.TERMINATE:
            for run in self._cut:
                if run.end == at:
                    run.ending = Outcome.TERMINATED

    # parts

    def _line(self, event: Printed) -> _Line:
        return self.lines[event["triggerId"]]

    def _wait_on(self, line: _Line, outcome: Outcome, at: Duration) -> Wait:
        """The wait that goes on with another stretch, or a new one, marked where it begins."""
        origin = line.origin(at)
        if origin is None:
            return self._begin_wait(line, outcome, at)
        origin.stretches.append(Stretch(outcome, at))
        return origin

    @staticmethod
    def _begin_wait(line: _Line, outcome: Outcome, at: Duration) -> Wait:
        wait = Wait([Stretch(outcome, at)])
        line.story.waits.append(wait)
        line.mark(at, outcome, wait)
        return wait


def _end(wait: Wait | None, at: Duration) -> None:
    if wait is not None:
        wait.end = at


def _configurations(scenario: Scenario) -> list[TriggerConfig]:
    """The first configuration of every trigger that is ever declared."""
    first: dict[str, TriggerConfig] = {}
    later = (step.trigger for step in scenario.steps if step.trigger is not None)
    for config in (*scenario.triggers, *later):
        first.setdefault(config.trigger_id, config)
    return list(first.values())


def _named_by_terminate(scenario: Scenario) -> set[tuple[Any, Duration]]:
    return {
        (step.raw["executionId"], step.at - scenario.start)
        for step in scenario.steps
        if step.do == "terminate"
    }
