"""From what happened to rows of one commit, and to what clients are told after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core import events, sentences
from schedule_bridge.core.decisions import Decision, Scribe
from schedule_bridge.core.model import Reason, State
from schedule_bridge.core.workspace import Workspace
from schedule_bridge.schedule import ZONE_DATA_VERSION
from schedule_bridge.store import TriggerRecord
from schedule_bridge.store.rows import (
    BUFFERED,
    DELAYED,
    buffered_row,
    delayed_row,
    execution_row,
    job_row,
    workspace_row,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.model import (
        Execution,
        Firing,
        Instant,
        LockKey,
        Trigger,
        TriggerId,
        WorkspaceId,
    )
    from schedule_bridge.engine.memory import Memory
    from schedule_bridge.store import Batch

_BEFORE_START = (State.QUEUED, State.ON_HOLD)


class Recorder:
    """Writes into a batch what the events of a command have changed."""

    def __init__(self, memory: Memory, batch: Batch, now: Instant) -> None:
        self._memory = memory
        self._world = memory.machine.world
        self._batch = batch
        batch.clock = max(batch.clock, now)

    def record(self, happened: Iterable[events.Event]) -> list[Decision]:
        """Writes rows and history; returns the decisions in order."""
        happened = list(happened)
        for event in happened:
            self._write(event)
        decisions = Scribe(self._world, self._memory.config_of).decisions(happened)
        for decision in decisions:
            self.decided(decision)
        return decisions

    def decided(self, decision: Decision) -> None:
        """Writes a decision, in place of an older one on the same firing."""
        older = self._batch.decisions.get(decision.firing_id)
        if older is not None:
            decision.fired_at = older.fired_at
        self._batch.decisions[decision.firing_id] = decision
        self._memory.skips.decided(decision)

    def trigger(self, trigger: Trigger) -> None:
        """Writes the row of a trigger as it stands."""
        registration = self._memory.registrations[trigger.trigger_id]
        self._batch.next_ticks.pop(trigger.trigger_id, None)
        self._batch.triggers[trigger.trigger_id] = TriggerRecord(
            trigger_id=trigger.trigger_id,
            workspace_id=registration.workspace_id,
            client_id=registration.client_id,
            configuration=registration.body,
            paused_since=trigger.paused_since,
            detached_since=trigger.detached_since,
            anchor=registration.anchor,
            next_tick=registration.next_tick,
            zone_data=ZONE_DATA_VERSION,
        )

    def _write(self, event: events.Event) -> None:  # noqa: C901, PLR0912 - a table
        match event:
            case (
                events.FiringDelayed(firing=firing)
                | events.FiringMerged(firing=firing, execution=None)
                | events.DelayMoved(firing=firing)
            ):
                self._delayed(firing)
            case events.FiringBuffered(firing=firing):
                self._slot(firing, BUFFERED, held=True)
            case events.FiringReady(firing=firing):
                self._slot(firing, DELAYED, held=False)
            case events.FiringReleased(firing=firing):
                self._slot(firing, BUFFERED, held=False)
            case events.FiringDropped(at=at, firing=firing, reason=Reason.REMOVED):
                self._let_go(firing, at)
            case events.TriggerChanged(trigger=trigger):
                self.trigger(trigger)
            case events.TriggerRemoved(trigger_id=trigger_id):
                self._batch.triggers[trigger_id] = None
                self._batch.next_ticks.pop(trigger_id, None)
            case events.WorkspaceChanged(workspace_id=workspace_id):
                self._workspace(workspace_id)
            case (
                events.FiringQueued(execution=execution)
                | events.FiringMerged(execution=execution)
                | events.ExecutionWaiting(execution=execution)
                | events.ExecutionOnHold(execution=execution)
                | events.ExecutionClaimed(execution=execution)
                | events.ExecutionPaused(execution=execution)
                | events.ExecutionResumed(execution=execution)
                | events.DeadlineMoved(execution=execution)
                | events.OwnerChanged(execution=execution)
                | events.RunLimitKept(execution=execution)
            ) if execution is not None:
                self._execution(execution)
            case events.JobChanged(job=job) | events.JobCancelled(job=job):
                self._batch.jobs[(job.execution_id, job.job_id)] = job_row(job)
            case events.ExecutionStarted(execution=execution):
                self._execution(execution)
                self._workspace(execution.workspace_id)
            case events.ExecutionEnded(execution=execution, was=was):
                self._ended(execution, was)
            case _:
                pass

    def _ended(self, execution: Execution, was: State) -> None:
        self._execution(execution)
        self._memory.skips.ended(execution.execution_id)
        if was in _BEFORE_START and execution.merged_firings and execution.ended_at is not None:
            reason = Reason(execution.reason or Reason.CANCELLED)
            said = sentences.dropped(reason, execution.execution_id)
            self._batch.dropped_with.append((execution.firing_id, reason, said, execution.ended_at))

    def _let_go(self, firing: Firing, at: Instant) -> None:
        """A held firing is dropped with its trigger, and whatever was merged into it."""
        self._slot(firing, DELAYED, held=False)
        self._slot(firing, BUFFERED, held=False)
        said = sentences.dropped(Reason.REMOVED, None)
        self._batch.dropped_with.append((firing.firing_id, Reason.REMOVED, said, at))

    def _execution(self, execution: Execution) -> None:
        self._batch.executions[execution.execution_id] = execution_row(execution)

    def _workspace(self, workspace_id: WorkspaceId) -> None:
        known = self._world.workspaces.get(workspace_id) or Workspace(workspace_id)
        self._batch.workspaces[workspace_id] = workspace_row(known)

    def _delayed(self, firing: Firing) -> None:
        held = self._world.triggers[firing.trigger_id].delayed[firing.lock_key]
        self._batch.held[(firing.trigger_id, firing.lock_key, DELAYED)] = delayed_row(held)

    def _slot(self, firing: Firing, kind: str, *, held: bool) -> None:
        slot: tuple[TriggerId, LockKey, str] = (firing.trigger_id, firing.lock_key, kind)
        self._batch.held[slot] = buffered_row(firing) if held else None
