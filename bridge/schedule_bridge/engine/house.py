"""Everything that is decided at an instant: in memory, recorded, and told after the commit.

Nothing here waits. The engine calls it with engine time and commits what it has recorded.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from schedule_bridge.core.agenda import Rank
from schedule_bridge.core.model import (
    ClientId,
    DelayedFiring,
    Execution,
    ExecutionId,
    Reason,
    State,
    TriggerId,
)
from schedule_bridge.core.refusal import Refused
from schedule_bridge.engine.claims import Claims, Unclaimed
from schedule_bridge.engine.herald import Herald
from schedule_bridge.engine.missed import missed_decision
from schedule_bridge.engine.recording import Recorder
from schedule_bridge.engine.registration import Registration, register
from schedule_bridge.engine.ticks import TickDue, Ticks, disarm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.events import Event
    from schedule_bridge.core.machine import FireRequest
    from schedule_bridge.core.model import Duration, Instant, WorkspaceId
    from schedule_bridge.engine.memory import Memory
    from schedule_bridge.engine.presence import Link, Presence
    from schedule_bridge.engine.settings import Settings
    from schedule_bridge.store import Batch, MissedStretch

log = logging.getLogger("schedule_bridge.engine")

_CLAIMED = (State.RUNNING, State.PAUSED)


class Record(Protocol):
    """Where decisions are written: the batch of the next commit, and what follows it."""

    @property
    def batch(self) -> Batch:
        """The batch that gathers what is decided now."""
        ...

    def then(self, act: Callable[[], None]) -> None:
        """Does something once all that has been decided so far is durable."""
        ...


@dataclass(slots=True, frozen=True)
class _DetachedFor:
    """On the agenda: a trigger has been detached for a while (R1), or for too long."""

    trigger_id: TriggerId
    since: Instant
    delete: bool


@dataclass(slots=True, frozen=True)
class _ClientGone:
    """On the agenda: a client has not been here for too long."""

    client_id: ClientId


class House:
    """The rules, the ticks and the clients over one memory."""

    def __init__(
        self,
        memory: Memory,
        presence: Presence,
        record: Record,
        settings: Settings,
        booted_at: Instant,
    ) -> None:
        self.memory = memory
        self.machine = memory.machine
        self.presence = presence
        self._record_in = record
        self._settings = settings
        self._booted_at = booted_at
        self._claims = Claims(memory.agenda, settings.unclaimed_after)
        self._herald = Herald(presence, self._claims, record.then)
        self.ticks = Ticks(
            memory,
            wait=settings.tick_waits_for_client,
            booted_at=booted_at,
            fire=self._fire_tick,
            note=self._note_next_tick,
            missed=self._keep_missed,
        )

    # time

    def boot(self, now: Instant) -> None:
        """Puts on the agenda what a restart has left open."""
        for trigger_id, trigger in self.machine.world.triggers.items():
            self.ticks.arm(trigger_id)
            if trigger.detached_since is not None:
                self._await_return(trigger_id, trigger.detached_since, now)
        for execution in self.machine.world.executions.values():
            self._boot_execution(execution, now)
        for client_id in self._known_clients():
            self._await_client(client_id, now)

    def _boot_execution(self, execution: Execution, now: Instant) -> None:
        if execution.state is State.PENDING and execution.client_id is None:
            self._claims.await_claim(execution, now)
        passed = execution.deadline is not None and execution.deadline <= now
        if execution.state is State.RUNNING and execution.client_id is not None and passed:
            # R21: its client may have an end to hand in.
            self._rearm_deadline(execution, now + self._settings.deadline_grace)

    def run_due(self, now: Instant) -> None:
        """Handles what is due, in the order of R18; one thing's trouble stops no other."""
        while (timer := self.memory.agenda.pop(now)) is not None:
            try:
                self._handle(timer.target, now)
            except Exception:
                log.exception("A timer failed.", extra={"action": "timer"})

    def shift(self, leap: Duration, now: Instant) -> None:
        """The clock has leapt forward: what waits moves along (section 7)."""
        log.warning(
            "The clock has leapt forward by %d s.", leap // 1_000_000, extra={"action": "leap"}
        )
        self._record(self.machine.shift(leap, now), now)

    def _handle(self, target: object, now: Instant) -> None:
        match target:
            case TickDue(trigger_id):
                here = self.presence.is_here(self.memory.config_of(trigger_id).client_id)
                self.ticks.dispatch(trigger_id, now, client_is_here=here)
            case Execution() as execution:
                self._record(self.machine.expire(execution, now), now)
            case DelayedFiring() as held:
                self._record(self.machine.release_delayed(held, now), now)
            case Unclaimed(execution):
                self._interrupt(execution, Reason.UNCLAIMED, now)
            case _DetachedFor() as detached:
                self._detached_for(detached, now)
            case _ClientGone(client_id):
                self._client_gone(client_id, now)
            case other:
                raise AssertionError(f"nobody puts {other!r} on the agenda")

    # triggers

    def declare(self, raw: Mapping[str, Any], now: Instant) -> bool:
        """Sets a trigger (R14); whether it is a new one.

        Raises:
            ScheduleError: its schedule means nothing; nothing has changed.
        """
        trigger_id = TriggerId(raw["triggerId"])
        before = self.memory.registrations.get(trigger_id)
        registration = register(raw, before, now)
        self._set(registration, before, now)
        return before is None

    def remove(self, trigger_id: TriggerId, now: Instant) -> None:
        """Removes a trigger (R14)."""
        recorder = self._recorder(now)
        registration = self.memory.registrations[trigger_id]
        recorder.about_to_remove(trigger_id)
        disarm(registration)
        self._tell(recorder, self.machine.remove_trigger(trigger_id, now))
        del self.memory.registrations[trigger_id]

    def pause(self, trigger_id: TriggerId, now: Instant) -> None:
        """Pauses a trigger (R1)."""
        self._record(self.machine.pause_trigger(trigger_id, now), now)

    def resume(self, trigger_id: TriggerId, now: Instant) -> None:
        """Ends a pause."""
        self._record(self.machine.resume_trigger(trigger_id, now), now)

    def fire(self, request: FireRequest, now: Instant) -> list[Decision]:
        """Leads a firing through the gates; one decision a lock key (R26)."""
        return self._record(self.machine.fire(request, now), now)

    def set_workspace(self, workspace_id: WorkspaceId, limit: int, now: Instant) -> None:
        """Sets a workspace's limit (R16)."""
        self._record(self.machine.set_workspace(workspace_id, limit, now), now)

    # executions

    def claim(self, execution_id: ExecutionId, session_id: str | None, now: Instant) -> Execution:
        """Makes a pending execution running (R17)."""
        self._record(self.machine.claim(execution_id, session_id, now), now)
        return self.machine.world.executions[execution_id]

    def finish(
        self,
        execution_id: ExecutionId,
        outcome: State,
        now: Instant,
        *,
        error: str | None,
        ended_at: Instant | None,
        reporter: Link | None,
    ) -> None:
        """Ends a started execution by its own report."""
        session_id = reporter.session_id if reporter is not None else None
        happened = self.machine.finish(
            execution_id, outcome, now, session_id=session_id, error=error, ended_at=ended_at
        )
        self._record(happened, now, reporter=reporter)

    def command(
        self,
        verb: Callable[[ExecutionId, Instant], list[Event]],
        of: ExecutionId,
        now: Instant,
    ) -> None:
        """Cancels, terminates, pauses or resumes an execution: `verb` is the machine's method."""
        self._record(verb(of, now), now)

    # clients

    def arrive(
        self,
        link: Link,
        declared: Iterable[Registration],
        runs: set[ExecutionId],
        now: Instant,
    ) -> list[TriggerId]:
        """The client says `here`: what it declares replaces its set of triggers; who is detached.

        What it had claimed and does not name any more is interrupted.
        """
        self.presence.arrive(link)
        wanted = {registration.config.trigger_id: registration for registration in declared}
        for trigger_id, registration in wanted.items():
            self._declare_anew(trigger_id, registration, now)
        detached = [
            trigger_id
            for trigger_id, before in self.memory.registrations.items()
            if before.config.client_id == link.client_id and trigger_id not in wanted
        ]
        for trigger_id in detached:
            self._detach(trigger_id, now)
        for execution in self._claimed_by(link.client_id):
            if execution.execution_id not in runs:
                self._interrupt(execution, Reason.RESTARTED, now)
        return detached

    def welcome(self, link: Link, now: Instant) -> None:
        """After the commit of `here`: offers the client's starts, judges what waited for it."""
        self.presence.open_offers(link)
        if self.presence.open_link(link.client_id) is not link:
            return
        for execution in self._pending_of(link.client_id):
            self._herald.offer(execution, now)
        for execution in self._claimed_by(link.client_id):
            if execution.deadline is not None and execution.deadline <= now:
                self._record(self.machine.expire(execution, now), now)
        for trigger_id, registration in list(self.memory.registrations.items()):
            if registration.parked and registration.config.client_id == link.client_id:
                self.ticks.dispatch(trigger_id, now, client_is_here=True)

    def leave(self, link: Link, now: Instant, *, disconnected: bool) -> None:
        """The client said `away`, or its connection is lost."""
        if not self.presence.leave(link, disconnected=disconnected):
            return
        for execution in self._pending_of(link.client_id):
            self._claims.stop_waiting(execution.execution_id)
        if not self.presence.awaited(link.client_id):
            self._await_client(link.client_id, now)

    def interrupt_session(self, client_id: ClientId, session_id: str, now: Instant) -> None:
        """Another session has taken over: what the earlier one had claimed is interrupted."""
        for execution in self._claimed_by(client_id):
            if execution.session_id not in (None, session_id):
                self._interrupt(execution, Reason.RESTARTED, now)

    # within, on triggers

    def _declare_anew(self, trigger_id: TriggerId, wanted: Registration, now: Instant) -> None:
        """Sets a trigger of a `here`, unless it stands just so already."""
        before = self.memory.registrations.get(trigger_id)
        trigger = self.machine.world.triggers.get(trigger_id)
        same = before is not None and before.raw == wanted.raw
        if not same or trigger is None or trigger.detached_since is not None:
            self._set(wanted, before, now)

    def _set(self, registration: Registration, before: Registration | None, now: Instant) -> None:
        trigger_id = registration.config.trigger_id
        trigger = self.machine.world.triggers.get(trigger_id)
        if trigger is not None and trigger.detached_since is not None:
            self.ticks.leave_out(trigger_id, now, "detached")
        if before is not None:
            self._carry_over(before, registration)
        self.memory.registrations[trigger_id] = registration
        happened = self.machine.set_trigger(registration.config, now)
        self.ticks.arm(trigger_id)
        self._record(happened, now)

    def _carry_over(self, before: Registration, registration: Registration) -> None:
        """The ticks of an unchanged schedule go on where they were."""
        disarm(before)
        if before.schedule is registration.schedule:
            registration.next_tick = before.next_tick

    def _detach(self, trigger_id: TriggerId, now: Instant) -> None:
        if self.machine.world.triggers[trigger_id].detached_since is not None:
            return
        self.ticks.leave_out(trigger_id, now, "client")
        happened = self.machine.detach_trigger(trigger_id, now)
        self.ticks.arm(trigger_id)
        self._record(happened, now)
        self._await_return(trigger_id, now, now)

    def _await_return(self, trigger_id: TriggerId, since: Instant, now: Instant) -> None:
        for delete, span in (
            (False, self._settings.detached_grace),
            (True, self._settings.detached_kept),
        ):
            self.memory.agenda.add(
                max(since + span, now), Rank.REQUEST, (0,), _DetachedFor(trigger_id, since, delete)
            )

    def _detached_for(self, detached: _DetachedFor, now: Instant) -> None:
        trigger = self.machine.world.triggers.get(detached.trigger_id)
        if trigger is None or trigger.detached_since != detached.since:
            return
        if detached.delete:
            self.remove(detached.trigger_id, now)
        else:
            self._record(self.machine.interrupt_detached(detached.trigger_id, now), now)

    # within, on clients

    def _known_clients(self) -> set[ClientId]:
        owners = {
            registration.config.client_id for registration in self.memory.registrations.values()
        }
        runners = {execution.client_id for execution in self.machine.world.executions.values()}
        return {client_id for client_id in owners | runners if client_id is not None}

    def _await_client(self, client_id: ClientId, now: Instant) -> None:
        timer = self.memory.agenda.add(
            now + self._settings.client_gone_after, Rank.REQUEST, (0,), _ClientGone(client_id)
        )
        self.presence.set_gone_timer(client_id, timer)

    def _client_gone(self, client_id: ClientId, now: Instant) -> None:
        for execution in self._claimed_by(client_id):
            self._interrupt(execution, Reason.GONE, now)
        for trigger_id, registration in list(self.memory.registrations.items()):
            if registration.config.client_id == client_id:
                self._detach(trigger_id, now)
        self.presence.forget(client_id)

    def _claimed_by(self, client_id: ClientId) -> list[Execution]:
        return self._executions_of(client_id, _CLAIMED)

    def _pending_of(self, client_id: ClientId) -> list[Execution]:
        """The client's pending starts in the order in which they were decided."""
        pending = self._executions_of(client_id, (State.PENDING,))
        return sorted(pending, key=lambda execution: execution.fencing_token or 0)

    def _executions_of(self, client_id: ClientId, states: tuple[State, ...]) -> list[Execution]:
        return [
            execution
            for execution in self.machine.world.executions.values()
            if execution.client_id == client_id and execution.state in states
        ]

    # within, on executions

    def _interrupt(self, execution: Execution, reason: Reason, now: Instant) -> None:
        try:
            self._record(self.machine.interrupt(execution.execution_id, reason, now), now)
        except Refused:
            return  # it has ended meanwhile

    def _rearm_deadline(self, execution: Execution, instant: Instant) -> None:
        if execution.timer is not None:
            execution.timer.alive = False
        execution.timer = self.memory.agenda.add(
            instant, Rank.EXPIRY, (execution.order,), execution
        )

    # within, on the record

    def _fire_tick(self, request: FireRequest, now: Instant) -> None:
        self._record(self.machine.fire(request, now), now)

    def _note_next_tick(self, trigger_id: TriggerId, instant: Instant | None) -> None:
        """Written with the decision on the tick before it: one commit holds both or neither."""
        self._record_in.batch.set_next_tick(trigger_id, instant)
        self.presence.note_trigger(self.memory.config_of(trigger_id).client_id, trigger_id)

    def _keep_missed(self, stretch: MissedStretch) -> None:
        """Keeps a stretch of missed ticks, and the one decision that stands for them."""
        registration = self.memory.registrations[stretch.trigger_id]
        decision = missed_decision(stretch, registration, self.memory.new_firing_id())
        self._record_in.batch.missed.append(stretch)
        self._record_in.batch.clock = max(self._record_in.batch.clock, stretch.recorded_at)
        self._recorder(self._record_in.batch.clock).decided(decision)
        self._herald.announce(decision, registration.config.client_id)

    def _recorder(self, now: Instant) -> Recorder:
        return Recorder(self.memory, self._record_in.batch, now)

    def _record(
        self, happened: list[Event], now: Instant, *, reporter: Link | None = None
    ) -> list[Decision]:
        return self._tell(self._recorder(now), happened, reporter=reporter)

    def _tell(
        self, recorder: Recorder, happened: list[Event], *, reporter: Link | None = None
    ) -> list[Decision]:
        """Records what happened, and tells the clients concerned once it is durable."""
        decisions = recorder.record(happened)
        self._herald.tell(happened, reporter)
        for decision in decisions:
            registration = self.memory.registrations.get(decision.trigger_id)
            if registration is not None:
                self._herald.announce(decision, registration.config.client_id)
        return decisions
