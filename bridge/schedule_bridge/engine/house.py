"""Everything that is decided at an instant: in memory, recorded, and told after the commit.

Nothing here waits. The keeper calls it with engine time and commits what it has recorded.
"""

from __future__ import annotations

import logging
import sys
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from schedule_bridge.core.model import NO_KEY, SECOND, DelayedFiring, Execution, Reason
from schedule_bridge.core.templates import FieldMissingError
from schedule_bridge.engine.attendance import Attendance, ClientGone, Parts
from schedule_bridge.engine.claims import Claims, Unclaimed
from schedule_bridge.engine.declarations import Declarations, DetachedFor
from schedule_bridge.engine.herald import Herald
from schedule_bridge.engine.jobs import Jobs
from schedule_bridge.engine.ledger import Ledger, Record
from schedule_bridge.engine.registration import Registration
from schedule_bridge.engine.runs import Runs
from schedule_bridge.engine.ticks import Ticks
from schedule_bridge.store import IdempotentAnswer
from schedule_bridge.store.payloads import pack_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from schedule_bridge.core.agenda import Timer
    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.events import Event
    from schedule_bridge.core.machine import FireRequest
    from schedule_bridge.core.model import (
        Duration,
        Instant,
        TriggerConfig,
        TriggerId,
        WorkspaceId,
    )
    from schedule_bridge.engine.answers import RequestName
    from schedule_bridge.engine.memory import Memory
    from schedule_bridge.engine.occurrences import Judgement, Occurrence
    from schedule_bridge.engine.presence import Presence
    from schedule_bridge.engine.settings import Settings

T = TypeVar("T")

log = logging.getLogger("schedule_bridge.engine")


class House:
    """The rules, the ticks and the clients over one memory.

    `was_off` is why ticks from before `booted_at` were missed: `down` or `store`.
    """

    def __init__(
        self,
        memory: Memory,
        presence: Presence,
        record: Record,
        settings: Settings,
        *,
        booted_at: Instant,
        was_off: str,
    ) -> None:
        self.memory = memory
        self.machine = memory.machine
        self._due: Iterator[Timer] | None = None
        self._due_at: Instant = booted_at
        self._presence = presence
        claims = Claims(memory.agenda, settings.unclaimed_after)
        herald = Herald(memory.machine.world, presence, claims, record.then)
        self._ledger = Ledger(memory, record, herald, presence)
        ticks = Ticks(
            memory,
            wait=settings.tick_waits_for_client,
            booted_at=booted_at,
            was_off=was_off,
            fire=self._fire_tick,
            note=self._ledger.note_next_tick,
            missed=self._ledger.missed,
        )
        self._ticks = ticks
        self.jobs = Jobs(memory, self._ledger)
        self.runs = Runs(memory, self._ledger, claims, settings)
        self.declarations = Declarations(memory, self._ledger, ticks, settings)
        parts = Parts(presence, self.runs, self.declarations, ticks, claims, herald)
        self.attendance = Attendance(memory, parts, settings)

    # time

    def boot(self, now: Instant) -> None:
        """Puts on the agenda what a restart has left open."""
        self.declarations.boot(now)
        self.runs.boot(now)
        self.attendance.boot(now)

    @property
    def is_behind(self) -> bool:
        """Whether something of what was due when that was begun is left."""
        return self._due is not None

    def begin_due(self, now: Instant) -> None:
        """What is due now is to be handled, in the order of R18 and as of this instant."""
        self._due, self._due_at = self.memory.agenda.pop_all(now), now

    def handle_due(self, at_most: int = sys.maxsize) -> None:
        """Handles so much of what was begun, if anything; one thing's trouble stops no other."""
        if self._due is None:
            return
        handled = 0
        for timer in islice(self._due, at_most):
            handled += 1
            try:
                self._handle(timer.target, self._due_at)
            except Exception:
                log.exception("A timer failed.", extra={"action": "timer"})
        if handled < at_most:
            self._due = None

    def shift(self, leap: Duration, now: Instant) -> None:
        """The clock has leapt forward: what waits moves along (section 7)."""
        log.warning(
            "The clock has leapt forward by %d s.", leap // SECOND, extra={"action": "leap"}
        )
        self._ledger.record(self.machine.shift(leap, now), now)

    def _handle(self, target: object, now: Instant) -> None:
        match target:
            case Registration(trigger_id=trigger_id, client_id=client_id):
                here = self._presence.is_here(client_id)
                self._ticks.dispatch(trigger_id, now, client_is_here=here)
            case Execution() as execution:
                self._ledger.record(self.machine.expire(execution, now), now)
            case DelayedFiring() as held:
                self._ledger.record(self.machine.release_delayed(held, now), now)
            case Unclaimed(execution):
                self.runs.interrupt(execution, Reason.UNCLAIMED, now)
            case DetachedFor() as detached:
                self.declarations.detached_for(detached, now)
            case ClientGone(client_id):
                self.attendance.gone(client_id, now)
            case other:
                raise AssertionError(f"nobody puts {other!r} on the agenda")

    # decisions

    def once(
        self,
        request: RequestName,
        workspace_id: WorkspaceId,
        decide: Callable[[], T],
        now: Instant,
    ) -> T:
        """Decides what was asked, or gives the answer that a request of this name got before.

        The answer is made of what MessagePack knows: that of a request with a key is kept.

        Raises:
            KeyReusedError: the key came before with another body.
        """
        before = self.memory.answers.find(workspace_id, request)
        if before is not None:
            repeated: T = before.answer
            return repeated
        made = decide()
        if request.key is not None:
            kept = pack_value(made)
            self._ledger.answered(
                IdempotentAnswer(workspace_id, request.key, request.fingerprint, kept, now)
            )
        return made

    def fire(self, request: FireRequest, now: Instant) -> list[Decision]:
        """Leads a firing through the gates; one decision a lock key, in listed order (R26)."""
        self.memory.named_firings.clear()
        return self._decisions_on_named(self.machine.fire(request, now), now)

    def occur(self, judgement: Judgement, now: Instant) -> list[Decision]:
        """R27: fires the triggers that accept an event, each fully handled before the next.

        Raises:
            NotJudgedError: a trigger has subscribed since the conditions were judged.
        """
        event = judgement.event
        subscribers = self.memory.subscriptions.of(event.workspace_id, event.kind)
        decided: list[Decision] = []
        for subscription in judgement.accepted_among(subscribers):
            decided += self._occur_to(event, subscription.config, now)
        return decided

    def _occur_to(self, event: Occurrence, config: TriggerConfig, now: Instant) -> list[Decision]:
        try:
            lock_key = event.lock_key(config)
        except FieldMissingError:
            self.memory.named_firings.clear()
            request = event.request(config.trigger_id, NO_KEY, now)
            happened = self.machine.skip(request, Reason.LOCK_KEY_MISSING, now)
            return self._decisions_on_named(happened, now)
        return self.fire(event.request(config.trigger_id, lock_key, now), now)

    def _decisions_on_named(self, happened: list[Event], now: Instant) -> list[Decision]:
        """Records what happened; the decisions on the firings that it named, in that order."""
        decided = self._ledger.record(happened, now)
        of = {decision.firing_id: decision for decision in decided}
        return [of[firing_id] for firing_id in self.memory.named_firings]

    def pause(self, trigger_id: TriggerId, now: Instant) -> None:
        """Pauses a trigger (R1)."""
        self._ledger.record(self.machine.pause_trigger(trigger_id, now), now)

    def resume(self, trigger_id: TriggerId, now: Instant) -> None:
        """Ends a pause of a trigger."""
        self._ledger.record(self.machine.resume_trigger(trigger_id, now), now)

    def set_workspace(self, workspace_id: WorkspaceId, limit: int, now: Instant) -> None:
        """Sets a workspace's limit (R16)."""
        self._ledger.record(self.machine.set_workspace(workspace_id, limit, now), now)

    def _fire_tick(self, request: FireRequest, now: Instant) -> None:
        self.fire(request, now)
