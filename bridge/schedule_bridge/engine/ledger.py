"""What happened goes two ways from here: into the next commit, and after it to the clients."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Protocol

from schedule_bridge.core.decisions import Decision, Verdict
from schedule_bridge.core.events import ExecutionEnded
from schedule_bridge.engine.missed import missed_decision
from schedule_bridge.engine.recording import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from schedule_bridge.core.events import Event
    from schedule_bridge.core.model import ClientId, Instant, Trigger, TriggerId
    from schedule_bridge.engine.chronicle import Chronicle
    from schedule_bridge.engine.herald import Herald
    from schedule_bridge.engine.memory import Memory
    from schedule_bridge.engine.presence import Link, Presence
    from schedule_bridge.engine.tally import Tally
    from schedule_bridge.store import Batch, IdempotentAnswer, MissedStretch

log = logging.getLogger("schedule_bridge.engine")


class Record(Protocol):
    """Where decisions are written: the batch of the next commit, and what follows it."""

    @property
    def batch(self) -> Batch:
        """The batch that gathers what is decided now."""
        ...

    @property
    def chronicle(self) -> Chronicle:
        """What is said of the next commit after it."""
        ...

    @property
    def tally(self) -> Tally:
        """Where what has become durable is counted."""
        ...

    def then(self, act: Callable[[], None]) -> None:
        """Does something once all that has been decided so far is durable."""
        ...


class Ledger:
    """Writes down what happened, and has it told."""

    def __init__(self, memory: Memory, into: Record, herald: Herald, presence: Presence) -> None:
        self._memory = memory
        self._into = into
        self._herald = herald
        self._presence = presence

    def record(
        self, happened: Iterable[Event], now: Instant, *, reporter: Link | None = None
    ) -> list[Decision]:
        """Keeps the events of a command; `reporter` knows of the end that it reported itself."""
        happened = list(happened)
        decisions = Recorder(self._memory, self._into.batch, now).record(happened)
        self._into.chronicle.note(decisions, happened)
        self._herald.tell(happened, reporter)
        self._remember_jobs(happened)
        for decision in decisions:
            registration = self._memory.registrations.get(decision.trigger_id)
            if registration is not None:
                self._herald.announce(decision, registration.client_id)
                self._note_skip(decision, registration.client_id)
        return decisions

    def _note_skip(self, decision: Decision, client_id: ClientId | None) -> None:
        """How often the trigger has skipped is another number now."""
        if decision.verdict is Verdict.SKIPPED:
            self._presence.note_trigger(client_id, decision.trigger_id)

    def _remember_jobs(self, happened: Iterable[Event]) -> None:
        """After a plain cancel the jobs are still to be had."""
        for event in happened:
            if isinstance(event, ExecutionEnded) and event.execution.jobs:
                self._memory.ended.remember(event.execution)

    def note_next_tick(self, trigger_id: TriggerId, instant: Instant | None) -> None:
        """Written with the decision on the tick before it: one commit holds both or neither."""
        self._into.batch.set_next_tick(trigger_id, instant)
        self._presence.note_trigger(self._memory.registrations[trigger_id].client_id, trigger_id)

    def keep(self, trigger: Trigger, now: Instant) -> None:
        """Keeps a trigger as it stands."""
        Recorder(self._memory, self._into.batch, now).trigger(trigger)

    def warn_of_policy(self, trigger_id: TriggerId) -> None:
        """R11: has the log say that a declared policy is unknown, once that is durable."""
        self._into.then(
            partial(
                log.warning,
                "The overlap policy of trigger %s is unknown and treated as skip.",
                trigger_id,
                extra={"action": "unknownPolicy"},
            )
        )

    def missed(self, stretch: MissedStretch) -> None:
        """Keeps a stretch of missed ticks, and the one decision that stands for them."""
        registration = self._memory.registrations[stretch.trigger_id]
        decision = missed_decision(stretch, registration, self._memory.new_firing_id())
        self._into.batch.missed.append(stretch)
        self._into.then(partial(self._into.tally.missed, stretch))
        self._into.chronicle.note([decision], ())
        Recorder(self._memory, self._into.batch, stretch.recorded_at).decided(decision)
        self._herald.announce(decision, registration.client_id)

    def answered(self, answer: IdempotentAnswer) -> None:
        """Keeps the answer to a request that named itself, in the commit of what it decided."""
        batch, workspace_id = self._into.batch, answer.workspace_id
        batch.forgotten.discard((workspace_id, answer.key))
        batch.answers.append(answer)
        forgotten = self._memory.answers.add(answer)
        batch.forgotten.update((workspace_id, key) for key in forgotten)
