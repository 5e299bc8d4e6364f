"""Tells clients what concerns them, once it is durable."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from schedule_bridge.core import events
from schedule_bridge.core.model import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import ClientId, Execution, Instant, WorkspaceId
    from schedule_bridge.core.world import World
    from schedule_bridge.engine.claims import Claims
    from schedule_bridge.engine.presence import Link, Presence


PLACES_TOLD = 100
"""How many runs on hold are told that their place has changed; far behind, it matters little."""


class Herald:
    """Turns what happened into offers, ends, decisions and news for the clients that are here.

    `then` does something once all that has been decided so far is durable.
    """

    def __init__(
        self,
        world: World,
        presence: Presence,
        claims: Claims,
        then: Callable[[Callable[[], None]], None],
    ) -> None:
        self._world = world
        self._presence = presence
        self._claims = claims
        self._then = then

    def announce(self, decision: Decision, client_id: ClientId | None) -> None:
        """Tells the trigger's client what came of a firing."""
        link = self._presence.link_of(client_id)
        if link is not None:
            self._then(lambda: link.decided(decision))

    def tell(self, happened: Iterable[events.Event], reporter: Link | None) -> None:
        """Tells clients what happened to their executions; a reporter knows its own report."""
        moved: set[WorkspaceId] = set()
        for event in happened:
            self._tell_event(event, reporter)
            moved |= _workspace_that_lost_a_hold(event)
        for workspace_id in moved:
            self._note_places(workspace_id)

    def _tell_event(self, event: events.Event, reporter: Link | None) -> None:
        match event:
            case (
                events.ExecutionStarted(at=at, execution=execution)
                | events.OwnerChanged(at=at, execution=execution)
            ):
                self.offer(execution, at)
            case events.ExecutionEnded(execution=execution, was=was):
                self._claims.stop_waiting(execution.execution_id)
                self._presence.note_execution(execution)
                if was.started:
                    self._tell_end(execution, reporter)
            case events.ExecutionClaimed(execution=execution):
                self._claims.stop_waiting(execution.execution_id)
                self._presence.note_execution(execution)
            case (
                events.ExecutionOnHold(execution=execution)
                | events.ExecutionWaiting(execution=execution)
                | events.ExecutionPaused(execution=execution)
                | events.ExecutionResumed(execution=execution)
                | events.FiringQueued(execution=execution)
            ):
                self._presence.note_execution(execution)
            case events.WorkspaceChanged(workspace_id=workspace_id):
                self._presence.note_workspace(workspace_id)
            case events.TriggerChanged(trigger=trigger):
                self._presence.note_trigger(trigger.config.client_id, trigger.trigger_id)
            case _:
                pass

    def offer(self, execution: Execution, now: Instant) -> None:
        """Offers a pending start to its client, if that is here, and waits for the claim.

        The wait lasts only while the client is here (R17), so one begun for another client ends.
        """
        self._presence.note_execution(execution)
        if execution.state is not State.PENDING:
            return
        link = self._presence.open_link(execution.client_id)
        if link is None and execution.client_id is not None:
            self._claims.stop_waiting(execution.execution_id)
            return
        if link is not None:
            self._then(partial(_offer_if_pending, link, execution))
        self._claims.await_claim(execution, now)

    def _note_places(self, workspace_id: WorkspaceId) -> None:
        """Runs on hold have moved up."""
        for execution in islice(self._world.workspace(workspace_id).holds.values(), PLACES_TOLD):
            self._presence.note_execution(execution)

    def _tell_end(self, execution: Execution, reporter: Link | None) -> None:
        link = self._presence.link_of(execution.client_id)
        if link is not None and not _same_speaker(link, reporter):
            self._then(lambda: link.ended(execution.execution_id, execution))


def _same_speaker(link: Link, reporter: Link | None) -> bool:
    """Whether a report was the link's own, perhaps over its session's connection before."""
    return (
        reporter is not None
        and reporter.client_id == link.client_id
        and reporter.session_id == link.session_id
    )


def _workspace_that_lost_a_hold(event: events.Event) -> set[WorkspaceId]:
    match event:
        case events.ExecutionStarted(execution=execution) if execution.hold_order:
            return {execution.workspace_id}
        case events.ExecutionEnded(execution=execution, was=State.ON_HOLD):
            return {execution.workspace_id}
        case _:
            return set()


def _offer_if_pending(link: Link, execution: Execution) -> None:
    """A start that was cancelled while its commit was under way is not offered any more."""
    if execution.state is State.PENDING:
        link.offer(execution)
