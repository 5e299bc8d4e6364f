"""Which triggers an event fires (R27)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.engine.conditions import Condition

if TYPE_CHECKING:
    from schedule_bridge.core.model import TriggerConfig, TriggerId, WorkspaceId

log = logging.getLogger("schedule_bridge.engine")


@dataclass(slots=True, frozen=True, eq=False)
class Subscription:
    """One trigger's wish to be fired by events, with its condition ready to be asked.

    Each declaration of a trigger makes another one, equal to itself alone.
    """

    config: TriggerConfig
    condition: Condition

    @property
    def place(self) -> tuple[int, TriggerId]:
        """Its place among the triggers that one event fires: priority, then trigger id."""
        return (self.config.priority, self.config.trigger_id)

    def accepts(self, payload: object) -> bool:
        """Whether the trigger's `where` accepts the payload; what cannot be judged is not."""
        try:
            return self.condition.accepts(payload)
        except Exception:  # one trigger's condition keeps no event from the others
            log.exception(
                "The condition of trigger %s cannot be judged.",
                self.config.trigger_id,
                extra={"action": "event"},
            )
            return False


class Subscriptions:
    """The subscriptions of all triggers, found by workspace and type of event."""

    def __init__(self) -> None:
        self._of: dict[tuple[WorkspaceId, str], dict[TriggerId, Subscription]] = {}
        self._types: dict[TriggerId, tuple[tuple[WorkspaceId, str], ...]] = {}

    def set(self, config: TriggerConfig) -> None:
        """Notes what a trigger subscribes to, in place of what it did before."""
        self.drop(config.trigger_id)
        if not config.on:
            return
        subscription = Subscription(config, Condition(config.where))
        places = tuple((config.workspace_id, kind) for kind in config.on)
        self._types[config.trigger_id] = places
        for place in places:
            self._of.setdefault(place, {})[config.trigger_id] = subscription

    def drop(self, trigger_id: TriggerId) -> None:
        """The trigger is gone."""
        for place in self._types.pop(trigger_id, ()):
            subscribers = self._of[place]
            del subscribers[trigger_id]
            if not subscribers:
                del self._of[place]

    def of(self, workspace_id: WorkspaceId, kind: str) -> list[Subscription]:
        """Who subscribes to a type of event, by priority, then trigger id."""
        found = self._of.get((workspace_id, kind), {})
        return sorted(found.values(), key=lambda subscription: subscription.place)
