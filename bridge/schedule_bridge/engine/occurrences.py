"""An event on its way to the triggers that it fires (R27)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.core.machine import FireRequest
from schedule_bridge.core.model import NO_KEY, LockKey, Source
from schedule_bridge.core.templates import render_lock_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.core.model import Instant, TriggerConfig, TriggerId, WorkspaceId
    from schedule_bridge.engine.subscriptions import Subscription


@dataclass(slots=True, frozen=True)
class Occurrence:
    """An event: what happened in a workspace, and what its sender calls the request."""

    workspace_id: WorkspaceId
    kind: str
    payload: object
    key: str | None

    def accepted_among(self, subscribers: Sequence[Subscription]) -> list[Subscription]:
        """Those whose condition accepts it. Touches nothing shared: it may run on any thread."""
        return [each for each in subscribers if each.accepts(self.payload)]

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
