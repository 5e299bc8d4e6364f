"""Triggers as clients declare them: set, detached, attached again, removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.core.agenda import Rank
from schedule_bridge.engine.registration import register
from schedule_bridge.engine.ticks import Ticks, disarm

if TYPE_CHECKING:
    from collections.abc import Collection

    from schedule_bridge.core.model import ClientId, Instant, TriggerId
    from schedule_bridge.engine.ledger import Ledger
    from schedule_bridge.engine.memory import Memory
    from schedule_bridge.engine.registration import Draft, Registration
    from schedule_bridge.engine.settings import Settings


@dataclass(slots=True, frozen=True)
class DetachedFor:
    """On the agenda: a trigger has been detached for a while (R1), or for too long."""

    trigger_id: TriggerId
    since: Instant
    delete: bool


class Declarations:
    """The set of triggers, and which of them no client declares."""

    def __init__(self, memory: Memory, ledger: Ledger, ticks: Ticks, settings: Settings) -> None:
        self._memory = memory
        self._machine = memory.machine
        self._ledger = ledger
        self._ticks = ticks
        self._settings = settings

    def boot(self, now: Instant) -> None:
        """Takes up what a restart has left open."""
        for trigger_id in self._memory.recomputed:
            self._ledger.keep(self._machine.world.triggers[trigger_id], now)
        self._ticks.arm_all()
        for trigger_id, trigger in self._machine.world.triggers.items():
            if trigger.detached_since is not None:
                self._await_return(trigger_id, trigger.detached_since, now)

    def declare(self, draft: Draft, now: Instant) -> bool:
        """Sets a trigger (R14); whether it is a new one."""
        before = self._memory.registrations.get(draft.config.trigger_id)
        self._set(register(draft, before, now), before, now)
        return before is None

    def declare_anew(self, draft: Draft, now: Instant) -> None:
        """Sets a trigger of a `here`, unless it stands just so already."""
        trigger_id = draft.config.trigger_id
        before = self._memory.registrations.get(trigger_id)
        if before is None or self._is_detached(trigger_id) or not before.says_as(draft.body):
            self._set(register(draft, before, now), before, now)

    def detach_missing(
        self, client_id: ClientId, wanted: Collection[TriggerId], now: Instant
    ) -> list[TriggerId]:
        """Detaches the client's triggers that it does not declare any more; which they are."""
        missing = [
            trigger_id
            for trigger_id, registration in self._memory.registrations.items()
            if registration.client_id == client_id and trigger_id not in wanted
        ]
        for trigger_id in missing:
            self._detach(trigger_id, now)
        return missing

    def remove(self, trigger_id: TriggerId, now: Instant) -> None:
        """Removes a trigger (R14)."""
        self._leave_out(trigger_id, now)
        disarm(self._memory.registrations[trigger_id])
        self._ledger.record(self._machine.remove_trigger(trigger_id, now), now)
        del self._memory.registrations[trigger_id]
        self._memory.subscriptions.drop(trigger_id)

    def detached_for(self, detached: DetachedFor, now: Instant) -> None:
        """R1: nobody has declared the trigger for a while."""
        trigger = self._machine.world.triggers.get(detached.trigger_id)
        if trigger is None or trigger.detached_since != detached.since:
            return
        if detached.delete:
            self.remove(detached.trigger_id, now)
        else:
            self._ledger.record(self._machine.interrupt_detached(detached.trigger_id, now), now)

    def _set(self, registration: Registration, before: Registration | None, now: Instant) -> None:
        trigger_id = registration.trigger_id
        if before is not None:
            self._carry_over(before, registration, now)
        self._memory.registrations[trigger_id] = registration
        self._memory.subscriptions.set(registration.config)
        happened = self._machine.set_trigger(registration.config, now)
        self._ticks.arm(trigger_id)
        self._ledger.record(happened, now)
        if registration.config.policy_is_unknown:
            self._ledger.warn_of_policy(trigger_id)

    def _carry_over(self, before: Registration, to: Registration, now: Instant) -> None:
        """The ticks of an unchanged schedule go on; those of another one that waited are missed."""
        same_ticks = before.schedule is to.schedule
        if self._is_detached(to.trigger_id) or not same_ticks:
            self._leave_out(to.trigger_id, now)
        disarm(before)
        if same_ticks:
            to.next_tick, to.parked = before.next_tick, before.parked

    def _leave_out(self, trigger_id: TriggerId, now: Instant) -> None:
        reason = "detached" if self._is_detached(trigger_id) else "client"
        self._ticks.leave_out(trigger_id, now, reason)

    def _detach(self, trigger_id: TriggerId, now: Instant) -> None:
        if self._is_detached(trigger_id):
            return
        self._leave_out(trigger_id, now)
        happened = self._machine.detach_trigger(trigger_id, now)
        self._ticks.arm(trigger_id)
        self._ledger.record(happened, now)
        self._await_return(trigger_id, now, now)

    def _is_detached(self, trigger_id: TriggerId) -> bool:
        trigger = self._machine.world.triggers.get(trigger_id)
        return trigger is not None and trigger.detached_since is not None

    def _await_return(self, trigger_id: TriggerId, since: Instant, now: Instant) -> None:
        for delete, span in (
            (False, self._settings.detached_grace),
            (True, self._settings.detached_kept),
        ):
            self._memory.agenda.add(
                max(since + span, now), Rank.REQUEST, 0, DetachedFor(trigger_id, since, delete)
            )
