"""A machine with a clock to turn by hand, whose events read as short sentences."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from schedule_bridge.core import events as happened
from schedule_bridge.core.configuration import read_trigger_config
from schedule_bridge.core.machine import FireRequest
from schedule_bridge.core.model import (
    SECOND,
    DelayedFiring,
    Execution,
    ExecutionId,
    FiringId,
    JobId,
    LockKey,
    Reason,
    Source,
    State,
    TriggerId,
    WorkspaceId,
)

from .watch import WatchedMachine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.events import Event
    from schedule_bridge.core.model import Duration, Instant, Trigger


class Names:
    """Surroundings that name by counting; `intervals` are seconds by trigger.

    Of a merged payload `most_keys` may be kept.
    """

    def __init__(self) -> None:
        self.intervals: dict[str, int] = {}
        self.most_keys = 1000
        self._counts: Counter[str] = Counter()

    def new_execution_id(self, trigger_id: TriggerId) -> ExecutionId:
        self._counts[trigger_id] += 1
        return ExecutionId(f"{trigger_id}#{self._counts[trigger_id]}")

    def new_firing_id(self) -> FiringId:
        self._counts["/firings"] += 1
        return FiringId(f"f{self._counts['/firings']}")

    def may_keep(self, payload: object) -> bool:
        return not isinstance(payload, dict) or len(payload) <= self.most_keys

    def interval(self, trigger_id: TriggerId, at: Instant) -> Duration | None:  # noqa: ARG002
        seconds = self.intervals.get(trigger_id)
        return None if seconds is None else seconds * SECOND


class House:
    """Commands by name, times in seconds since the beginning."""

    def __init__(self, *, limit: int = 0) -> None:
        self.names = Names()
        self.machine = WatchedMachine(self.names)
        self.world = self.machine.world
        self.now: Instant = 0
        self.events: list[Event] = []
        if limit:
            self.limit(limit)

    def set(self, trigger_id: str = "t", **config: object) -> list[str]:
        """Declares a trigger, by the words of its configuration."""
        read = read_trigger_config({"triggerId": trigger_id, **config})
        return self.say(self.machine.set_trigger(read, self.now))

    def limit(self, limit: int, workspace: str = "default") -> list[str]:
        return self.say(self.machine.set_workspace(WorkspaceId(workspace), limit, self.now))

    def fire(self, trigger_id: str = "t", payload: object = None, **other: Any) -> list[str]:
        """A firing; `other` may be key (the lock key), priority, idempotency (the caller's)."""
        request = FireRequest(
            TriggerId(trigger_id),
            scheduled_at=self.now,
            source=Source.MANUAL,
            payload=payload,
            lock_key=LockKey(other.get("key", "")),
            priority=other.get("priority"),
            key=other.get("idempotency"),
        )
        return self.say(self.machine.fire(request, self.now))

    def trigger_verb(self, verb: str, trigger_id: str = "t") -> list[str]:
        """A command on a trigger: pause, resume, detach, remove."""
        command = getattr(self.machine, f"{verb}_trigger")
        return self.say(command(TriggerId(trigger_id), self.now))

    def interrupt_detached(self, trigger_id: str = "t") -> list[str]:
        return self.say(self.machine.interrupt_detached(TriggerId(trigger_id), self.now))

    def verb(self, verb: str, execution_id: str) -> list[str]:
        """A command on an execution: cancel, terminate, pause, resume."""
        return self.say(getattr(self.machine, verb)(ExecutionId(execution_id), self.now))

    def claim(self, execution_id: str, session: str | None = "s") -> list[str]:
        return self.say(self.machine.claim(ExecutionId(execution_id), session, self.now))

    def finish(self, execution_id: str, outcome: State = State.COMPLETED) -> list[str]:
        return self.say(self.machine.finish(ExecutionId(execution_id), outcome, self.now))

    def interrupt(self, execution_id: str, reason: Reason = Reason.GONE) -> list[str]:
        return self.say(self.machine.interrupt(ExecutionId(execution_id), reason, self.now))

    def add_job(self, execution_id: str, job_id: str) -> list[str]:
        added = self.machine.add_job(ExecutionId(execution_id), JobId(job_id), self.now)
        return self.say(added)

    def job_verb(self, verb: str, execution: Execution, job_id: str) -> list[str]:
        """A command on a job: claim, finish."""
        command = getattr(self.machine, f"{verb}_job")
        return self.say(command(execution, JobId(job_id), self.now))

    def wait(self, seconds: float) -> list[str]:
        """Lets time pass, and handles what falls due meanwhile."""
        until = self.now + round(seconds * SECOND)
        said: list[str] = []
        while (timer := self.world.agenda.pop(until)) is not None:
            self.now = timer.instant
            said += self._handle(timer.target)
        self.now = until
        return said

    def execution(self, execution_id: str) -> Execution:
        """An active execution."""
        return self.world.executions[ExecutionId(execution_id)]

    def trigger(self, trigger_id: str = "t") -> Trigger:
        return self.world.triggers[TriggerId(trigger_id)]

    def states(self) -> dict[str, str]:
        """The state of every active execution."""
        return {name: run.state.value for name, run in self.world.executions.items()}

    def say(self, events: Iterable[Event]) -> list[str]:
        self.events = list(events)
        return [said for event in self.events if (said := sentence(event))]

    def _handle(self, target: object) -> list[str]:
        match target:
            case Execution():
                return self.say(self.machine.expire(target, self.now))
            case DelayedFiring():
                return self.say(self.machine.release_delayed(target, self.now))
            case _:
                raise AssertionError(f"nobody puts {target!r} on the agenda")


def sentence(event: Event) -> str:  # noqa: PLR0911 - a table
    """An event in few words; "" for those that no test of a rule asks about."""
    match event:
        case happened.FiringSkipped(firing=firing, reason=reason):
            return f"skipped {firing.trigger_id} {reason}"
        case happened.FiringDelayed(firing=firing, ready_at=ready_at):
            return f"delayed {firing.trigger_id} until {ready_at / SECOND:g}"
        case happened.FiringMerged(firing=firing, execution=execution):
            into = execution.execution_id if execution else "the delayed one"
            return f"merged {firing.trigger_id} into {into}"
        case happened.FiringDropped(firing=firing, reason=reason):
            return f"dropped {firing.trigger_id} {reason}"
        case happened.FiringBuffered(firing=firing):
            return f"buffered {firing.trigger_id}"
        case happened.FiringReleased(firing=firing):
            return f"released {firing.trigger_id}"
        case happened.JobCancelled(job=job):
            return f"cancelled job {job.job_id}"
        case _:
            return _sentence_on_execution(event)


def _sentence_on_execution(event: Event) -> str:
    match event:
        case happened.FiringQueued(execution=execution):
            return f"queued {execution.execution_id}"
        case happened.ExecutionWaiting(execution=execution, ahead=ahead):
            return f"waiting {execution.execution_id} for {ahead.execution_id}"
        case happened.ExecutionOnHold(execution=execution):
            return f"onHold {execution.execution_id}"
        case happened.ExecutionStarted(execution=execution):
            return f"started {execution.execution_id}"
        case happened.ExecutionEnded(execution=execution):
            return f"{execution.state} {execution.execution_id}"
        case _:
            return ""
