"""The machine: commands in, events out.

A command either raises `Refused` before anything has changed, or does the whole of its work
and returns what happened, in order. It never waits and never fails half-way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.core import deadlines, ending
from schedule_bridge.core.events import (
    DeadlineMoved,
    DelayMoved,
    Event,
    ExecutionClaimed,
    ExecutionPaused,
    ExecutionResumed,
    FiringDropped,
    FiringReady,
    FiringSkipped,
    JobChanged,
    OwnerChanged,
    RunLimitKept,
    TriggerChanged,
    TriggerRemoved,
    WorkspaceChanged,
)
from schedule_bridge.core.gates import (
    Passage,
    arm_delay,
    enabled,
    pass_all,
    pass_from_overlap,
)
from schedule_bridge.core.model import (
    NO_KEY,
    DelayedFiring,
    Duration,
    Execution,
    ExecutionId,
    Firing,
    Instant,
    Job,
    JobId,
    LockKey,
    Reason,
    Source,
    State,
    Trigger,
    TriggerConfig,
    TriggerId,
    WorkspaceId,
)
from schedule_bridge.core.refusal import Refusal, Refused
from schedule_bridge.core.settling import settle
from schedule_bridge.core.world import Surroundings, World

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.agenda import Agenda

_NOT_STARTED = (State.QUEUED, State.ON_HOLD)
_UNCLAIMED = (State.QUEUED, State.ON_HOLD, State.PENDING)
_CLAIMABLE_AFTER_END = (State.CANCELLED,)


@dataclass(slots=True)
class FireRequest:
    """What asks a trigger to start. What is left out comes from the trigger's configuration."""

    trigger_id: TriggerId
    scheduled_at: Instant
    source: Source
    payload: object = None
    lock_key: LockKey = NO_KEY
    priority: int | None = None
    key: str | None = None


class Machine:
    """The state machine of overlap.md over any number of workspaces."""

    def __init__(
        self,
        surroundings: Surroundings,
        agenda: Agenda | None = None,
        executions: dict[ExecutionId, Execution] | None = None,
    ) -> None:
        self.world = World(surroundings, agenda, executions)

    # workspaces and triggers

    def set_workspace(self, workspace_id: WorkspaceId, limit: int, now: Instant) -> list[Event]:
        """R16: sets the capacity limit; raising it lets holds go on, lowering it stops nothing."""
        workspace = self.world.workspace(workspace_id)
        workspace.limit = limit
        workspace.gave_back = True
        events: list[Event] = [WorkspaceChanged(now, workspace_id)]
        settle(workspace, now, events)
        self.world.forget_if_untouched(workspace)
        return events

    def set_trigger(self, config: TriggerConfig, now: Instant) -> list[Event]:
        """R14: declares a trigger; a detached one is attached again. What is held stays."""
        trigger = self.world.triggers.get(config.trigger_id)
        if trigger is None:
            trigger = self.world.triggers[config.trigger_id] = Trigger(config)
        trigger.config = config
        trigger.paused_since = _paused_since(trigger, paused=config.paused, now=now)
        self._attach(trigger, now)
        events: list[Event] = [TriggerChanged(now, trigger)]
        for execution in self._unclaimed(trigger.trigger_id):
            if execution.client_id != config.client_id:
                execution.client_id = config.client_id
                events.append(OwnerChanged(now, execution))
        return events

    def pause_trigger(self, trigger_id: TriggerId, now: Instant) -> list[Event]:
        """R1: from now on its firings are skipped; what it holds is not touched."""
        trigger = self._trigger(trigger_id)
        trigger.paused_since = _paused_since(trigger, paused=True, now=now)
        return [TriggerChanged(now, trigger)]

    def resume_trigger(self, trigger_id: TriggerId, now: Instant) -> list[Event]:
        """Ends a pause of the trigger."""
        trigger = self._trigger(trigger_id)
        trigger.paused_since = None
        return [TriggerChanged(now, trigger)]

    def detach_trigger(self, trigger_id: TriggerId, now: Instant) -> list[Event]:
        """R1: its client no longer declares it; its firings are skipped until it comes back."""
        trigger = self._trigger(trigger_id)
        if trigger.detached_since is None:
            trigger.detached_since = now
        return [TriggerChanged(now, trigger)]

    def interrupt_detached(self, trigger_id: TriggerId, now: Instant) -> list[Event]:
        """R1: what a detached trigger had not running ends as interrupted, settled once."""
        events: list[Event] = []
        waiting = self._unclaimed(trigger_id)
        for execution in waiting:
            self._end(execution, State.INTERRUPTED, now, events, Reason.DETACHED)
        self._settle_all(waiting, now, events)
        return events

    def remove_trigger(self, trigger_id: TriggerId, now: Instant) -> list[Event]:
        """R14: drops what the trigger holds and cancels what waits; started runs go on."""
        trigger = self._trigger(trigger_id)
        events: list[Event] = [
            FiringDropped(now, firing, Reason.REMOVED, ()) for firing in self._let_go(trigger)
        ]
        executions = self.world.executions_of(trigger_id)
        waiting = [execution for execution in executions if execution.state in _NOT_STARTED]
        ending.cancel(self.world, waiting, now, events, halt=False, reason=Reason.REMOVED)
        for execution in executions:
            if execution.state is State.PENDING:
                execution.run_limit = deadlines.run_limit(self.world, trigger.config, now)
                events.append(RunLimitKept(now, execution))
        del self.world.triggers[trigger_id]
        events.append(TriggerRemoved(now, trigger_id))
        self._settle_all(waiting, now, events)
        return events

    # firings

    def fire(self, request: FireRequest, now: Instant) -> list[Event]:
        """Leads a firing through the gates, once for each lock key (R26), each settled apart."""
        trigger = self._trigger(request.trigger_id)
        config = trigger.config
        workspace = self.world.workspace(config.workspace_id)
        events: list[Event] = []
        for lock_key in _lock_keys(request, config):
            firing = self._firing(request, config, lock_key)
            pass_all(Passage(self.world, workspace, trigger, firing, now, events))
            if workspace.gave_back:
                settle(workspace, now, events)
        return events

    def skip(self, request: FireRequest, reason: Reason, now: Instant) -> list[Event]:
        """A firing that cannot go through the gates at all, such as an event without its key."""
        trigger = self._trigger(request.trigger_id)
        firing = self._firing(request, trigger.config, request.lock_key)
        workspace = self.world.workspace(trigger.config.workspace_id)
        events: list[Event] = []
        if enabled(Passage(self.world, workspace, trigger, firing, now, events)):
            events.append(FiringSkipped(now, firing, reason, ()))
        return events

    def release_delayed(self, held: DelayedFiring, now: Instant) -> list[Event]:
        """R2: a delay is over; the firing goes on to the overlap gate, unless it is detached."""
        trigger = self._trigger(held.firing.trigger_id)
        if trigger.detached_since is not None:
            return []
        del trigger.delayed[held.firing.lock_key]
        workspace = self.world.workspace(trigger.config.workspace_id)
        events: list[Event] = [FiringReady(now, held.firing)]
        pass_from_overlap(Passage(self.world, workspace, trigger, held.firing, now, events))
        settle(workspace, now, events)
        return events

    # executions

    def claim(self, execution_id: ExecutionId, session_id: str | None, now: Instant) -> list[Event]:
        """R17: makes a pending execution running; a repeat by its own session changes nothing."""
        execution = self._execution(execution_id)
        if _holds_claim(execution, session_id):
            return []
        if execution.state is not State.PENDING:
            raise Refused(Refusal.NOT_PENDING)
        execution.state = State.RUNNING
        execution.started_at = now
        execution.session_id = session_id
        deadlines.set_deadline(self.world, execution, now)
        return [ExecutionClaimed(now, execution)]

    def finish(
        self,
        execution_id: ExecutionId,
        outcome: State,
        now: Instant,
        *,
        session_id: str | None = None,
        error: str | None = None,
        ended_at: Instant | None = None,
    ) -> list[Event]:
        """Ends a started execution by its own report; of a pending one it implies the claim.

        `ended_at` is when the client says that it ended, if it could not say so at the time.
        """
        execution = self._execution(execution_id)
        if execution.state in _NOT_STARTED:
            raise Refused(Refusal.NOT_STARTED)
        events: list[Event] = []
        if execution.state is State.PENDING:
            events += self.claim(execution_id, session_id, now)
        execution.error = error
        self._end_and_settle(execution, outcome, now, events)
        if ended_at is not None and execution.started_at is not None:
            execution.ended_at = min(max(ended_at, execution.started_at), now)
        return events

    def expire(self, execution: Execution, now: Instant) -> list[Event]:
        """R21: an execution that has reached its deadline is abandoned."""
        events: list[Event] = []
        self._end_and_settle(execution, State.EXPIRED, now, events, Reason.DEADLINE)
        return events

    def interrupt(self, execution_id: ExecutionId, reason: Reason, now: Instant) -> list[Event]:
        """Ends an execution that cannot end by itself any more."""
        events: list[Event] = []
        execution = self._execution(execution_id)
        self._end_and_settle(execution, State.INTERRUPTED, now, events, reason)
        return events

    def cancel(self, execution_id: ExecutionId, now: Instant) -> list[Event]:
        """Ends an active execution as cancelled and leaves its jobs to their workers."""
        return self._cancel(execution_id, now, halt=False)

    def terminate(self, execution_id: ExecutionId, now: Instant) -> list[Event]:
        """Cancels an active execution's outstanding jobs, then the execution."""
        return self._cancel(execution_id, now, halt=True)

    def pause(self, execution_id: ExecutionId, now: Instant) -> list[Event]:
        """R22: stops the clock of a running execution; it keeps its lock key and capacity."""
        execution = self._execution(execution_id)
        if execution.state is not State.RUNNING:
            raise Refused(Refusal.NOT_RUNNING)
        execution.state = State.PAUSED
        execution.paused_at = now
        ending.disarm(execution)
        return [ExecutionPaused(now, execution)]

    def resume(self, execution_id: ExecutionId, now: Instant) -> list[Event]:
        """R22: the deadline moves by the time paused."""
        execution = self._execution(execution_id)
        if execution.paused_at is None or execution.deadline is None:
            raise Refused(Refusal.NOT_PAUSED)
        execution.deadline += now - execution.paused_at
        execution.state = State.RUNNING
        execution.paused_at = None
        deadlines.arm(self.world, execution)
        return [ExecutionResumed(now, execution)]

    # jobs

    def add_job(
        self, execution_id: ExecutionId, job_id: JobId, now: Instant, *, name: str = ""
    ) -> list[Event]:
        """Adds an outstanding job to any active execution."""
        execution = self._execution(execution_id)
        if job_id in execution.jobs:
            raise Refused(Refusal.JOB_EXISTS)
        job = Job(job_id, execution_id, self.world.next_order(), name)
        execution.jobs[job_id] = job
        return [JobChanged(now, job, execution)]

    def claim_job(self, execution: Execution, job_id: JobId, now: Instant) -> list[Event]:
        """Lets one worker have the job; what was cancelled by `terminate` is not to be had."""
        job = _job(execution, job_id)
        if not ending.is_outstanding(job):
            raise Refused(Refusal.JOB_ENDED)
        if execution.state.terminal and execution.state not in _CLAIMABLE_AFTER_END:
            raise Refused(Refusal.EXECUTION_OVER)
        if job.claimed:
            raise Refused(Refusal.JOB_CLAIMED)
        job.claimed = True
        return [JobChanged(now, job, execution)]

    def finish_job(self, execution: Execution, job_id: JobId, now: Instant) -> list[Event]:
        """A worker is done with an outstanding job."""
        job = _job(execution, job_id)
        if not ending.is_outstanding(job):
            raise Refused(Refusal.JOB_ENDED)
        job.ended_as = "finished"
        return [JobChanged(now, job, execution)]

    # the clock

    def shift(self, by: Duration, now: Instant) -> list[Event]:
        """A leap of the clock moves deadlines and delays along; ticks alone leap (section 7).

        The deadline of a paused run stands still: its resume adds the leap with the pause (R22).
        """
        self.world.agenda.shift(by)
        events: list[Event] = []
        for execution in self.world.executions.values():
            if execution.deadline is not None and execution.state is not State.PAUSED:
                execution.deadline += by
                events.append(DeadlineMoved(now, execution))
        for trigger in self.world.triggers.values():
            for held in trigger.delayed.values():
                held.ready_at += by
                events.append(DelayMoved(now, held.firing))
        return events

    # within

    def _firing(self, request: FireRequest, config: TriggerConfig, lock_key: LockKey) -> Firing:
        return Firing(  # by place: by name it takes twice as long
            self.world.surroundings.new_firing_id(),
            config.trigger_id,
            lock_key,
            config.payload if request.payload is None else request.payload,
            request.scheduled_at,
            config.priority if request.priority is None else request.priority,
            request.source,
            request.key,
        )

    def _attach(self, trigger: Trigger, now: Instant) -> None:
        if trigger.detached_since is None:
            return
        trigger.detached_since = None
        for held in trigger.delayed.values():
            if held.timer is None or not held.timer.armed:
                arm_delay(self.world, held, max(held.ready_at, now))

    def _let_go(self, trigger: Trigger) -> list[Firing]:
        delayed = sorted(trigger.delayed.values(), key=lambda held: held.order)
        for held in delayed:
            ending.disarm(held)
        return [held.firing for held in delayed] + list(trigger.buffered.values())

    def _unclaimed(self, trigger_id: TriggerId) -> list[Execution]:
        executions = self.world.executions_of(trigger_id)
        return [execution for execution in executions if execution.state in _UNCLAIMED]

    def _cancel(self, execution_id: ExecutionId, now: Instant, *, halt: bool) -> list[Event]:
        execution = self._execution(execution_id)
        events: list[Event] = []
        ending.cancel(self.world, [execution], now, events, halt=halt)
        self._settle_all([execution], now, events)
        return events

    def _end_and_settle(
        self,
        execution: Execution,
        state: State,
        now: Instant,
        events: list[Event],
        reason: Reason | None = None,
    ) -> None:
        self._end(execution, state, now, events, reason)
        self._settle_all([execution], now, events)

    def _end(
        self,
        execution: Execution,
        state: State,
        now: Instant,
        events: list[Event],
        reason: Reason | None,
    ) -> None:
        ending.end(self.world, execution, state, now, events, reason=reason)

    def _settle_all(self, ended: Iterable[Execution], now: Instant, events: list[Event]) -> None:
        for workspace_id in dict.fromkeys(execution.workspace_id for execution in ended):
            settle(self.world.workspace(workspace_id), now, events)

    def _trigger(self, trigger_id: TriggerId) -> Trigger:
        trigger = self.world.triggers.get(trigger_id)
        if trigger is None:
            raise Refused(Refusal.UNKNOWN_TRIGGER)
        return trigger

    def _execution(self, execution_id: ExecutionId) -> Execution:
        execution = self.world.executions.get(execution_id)
        if execution is None:
            raise Refused(Refusal.NOT_ACTIVE)
        return execution


def _holds_claim(execution: Execution, session_id: str | None) -> bool:
    claimed = execution.state in (State.RUNNING, State.PAUSED)
    return claimed and session_id is not None and execution.session_id == session_id


def _paused_since(trigger: Trigger, *, paused: bool | None, now: Instant) -> Instant | None:
    """`paused` left out keeps what an operator set; a pause keeps its beginning."""
    if paused is None:
        return trigger.paused_since
    if not paused:
        return None
    return now if trigger.paused_since is None else trigger.paused_since


def _lock_keys(request: FireRequest, config: TriggerConfig) -> tuple[LockKey, ...]:
    """The keys that a firing is for: its own, else the trigger's list, else its fixed one."""
    if request.lock_key != NO_KEY:
        return (request.lock_key,)
    return config.lock_keys or (config.lock_key,)


def _job(execution: Execution, job_id: JobId) -> Job:
    job = execution.jobs.get(job_id)
    if job is None:
        raise Refused(Refusal.UNKNOWN_JOB)
    return job
