"""An event on its way to the triggers that it fires (R27)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.core.machine import FireRequest
from schedule_bridge.core.model import NO_KEY, LockKey, Source
from schedule_bridge.core.templates import render_lock_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.model import Instant, TriggerConfig, TriggerId, WorkspaceId
    from schedule_bridge.engine.subscriptions import Subscription


@dataclass(slots=True, frozen=True)
class Occurrence:
    """An event: what happened in a workspace, and what its sender calls the request."""

    workspace_id: WorkspaceId
    kind: str
    payload: object
    key: str | None

    def lock_key(self, config: TriggerConfig) -> LockKey:
        """The key that the trigger's template makes of the payload.

        Raises:
            FieldMissingError: the payload lacks a field of it.
        """
        if config.lock_key_template is None:
            return NO_KEY
        return render_lock_key(config.lock_key_template, self.payload)

    def request(self, trigger_id: TriggerId, lock_key: LockKey, now: Instant) -> FireRequest:
        """The firing of a trigger by this event."""
        return FireRequest(
            trigger_id=trigger_id,
            scheduled_at=now,
            source=Source.EVENT,
            payload=self.payload,
            lock_key=lock_key,
            key=self.key,
        )


class NotJudgedError(Exception):
    """A subscription is not among those that were judged; nothing has changed."""


class Judgement:
    """Which subscriptions accept an event, as far as they were judged."""

    def __init__(self, event: Occurrence) -> None:
        self.event = event
        self._accepts: dict[Subscription, bool] = {}

    def open_among(self, subscribers: Iterable[Subscription]) -> list[Subscription]:
        """Those that are still to be judged."""
        return [each for each in subscribers if each not in self._accepts]

    def judge(self, subscribers: Iterable[Subscription]) -> None:
        """Judges their conditions. Touches nothing of the house: it may run on any thread."""
        for each in subscribers:
            self._accepts[each] = each.accepts(self.event.payload)

    def accepted_among(self, subscribers: Iterable[Subscription]) -> list[Subscription]:
        """Those that accept the event, in the same order.

        Raises:
            NotJudgedError: one of them was declared after the others were judged.
        """
        subscribers = list(subscribers)
        if self.open_among(subscribers):
            raise NotJudgedError
        return [each for each in subscribers if self._accepts[each]]
