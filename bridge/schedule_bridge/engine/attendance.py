"""What follows of a client's coming and going."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.core.agenda import Rank
from schedule_bridge.core.model import ClientId, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.model import ExecutionId, Instant, TriggerId
    from schedule_bridge.engine.claims import Claims
    from schedule_bridge.engine.declarations import Declarations
    from schedule_bridge.engine.herald import Herald
    from schedule_bridge.engine.memory import Memory
    from schedule_bridge.engine.presence import Link, Presence
    from schedule_bridge.engine.registration import Draft
    from schedule_bridge.engine.runs import Runs
    from schedule_bridge.engine.settings import Settings
    from schedule_bridge.engine.ticks import Ticks


WAITING_TOLD = 1000
"""How many of its waiting runs a client is told of when it comes."""


@dataclass(slots=True, frozen=True)
class ClientGone:
    """On the agenda: a client has not been here for too long."""

    client_id: ClientId


@dataclass(slots=True, frozen=True)
class Parts:
    """What a client's coming and going acts on."""

    presence: Presence
    runs: Runs
    declarations: Declarations
    ticks: Ticks
    claims: Claims
    herald: Herald


class Attendance:
    """Clients connect, say `here` and `away`, disconnect, are taken for gone."""

    def __init__(self, memory: Memory, parts: Parts, settings: Settings) -> None:
        self._memory = memory
        self._presence = parts.presence
        self._runs = parts.runs
        self._declarations = parts.declarations
        self._ticks = parts.ticks
        self._claims = parts.claims
        self._herald = parts.herald
        self._settings = settings

    def boot(self, now: Instant) -> None:
        """A client is gone so long after the bridge's start at the earliest."""
        for client_id in self._known_clients():
            self._await(client_id, now)

    def connect(self, link: Link, now: Instant) -> None:
        """A client has connected, and is not here until it says so.

        What another session of it had claimed is interrupted.
        """
        self._stop_offering(link.client_id, now)
        self._presence.connect(link)
        for execution in self._runs.claimed_by(link.client_id):
            if execution.session_id not in (None, link.session_id):
                self._runs.interrupt(execution, Reason.RESTARTED, now)

    def arrive(
        self, link: Link, declared: Iterable[Draft], runs: set[ExecutionId], now: Instant
    ) -> list[TriggerId] | None:
        """The client says `here`: what it declares replaces its set of triggers; who is detached.

        What it had claimed and does not name any more is interrupted. None: another connection
        has replaced this one, which has no say any more.
        """
        if self._presence.link_of(link.client_id) is not link:
            return None
        self._presence.arrive(link)
        wanted = {draft.config.trigger_id: draft for draft in declared}
        for draft in wanted.values():
            self._declarations.declare_anew(draft, now)
        detached = self._declarations.detach_missing(link.client_id, wanted, now)
        for execution in self._runs.claimed_by(link.client_id):
            if execution.execution_id not in runs:
                self._runs.interrupt(execution, Reason.RESTARTED, now)
        return detached

    def welcome(self, link: Link, now: Instant) -> None:
        """After the commit of `here`: offers the client's starts, judges what waited for it."""
        self._presence.open_offers(link)
        if self._presence.open_link(link.client_id) is not link:
            return
        for execution in self._runs.pending_of(link.client_id):
            self._herald.offer(execution, now)
        for execution in self._runs.waiting_of(link.client_id)[:WAITING_TOLD]:
            self._presence.note_execution(execution)
        self._runs.expire_passed(link.client_id, now)
        for trigger_id, registration in list(self._memory.registrations.items()):
            if registration.parked and registration.client_id == link.client_id:
                self._ticks.dispatch(trigger_id, now, client_is_here=True)

    def leave(self, link: Link, now: Instant, *, disconnected: bool) -> None:
        """The client said `away`, or its connection is lost."""
        if self._presence.leave(link, disconnected=disconnected):
            self._stop_offering(link.client_id, now)

    def gone(self, client_id: ClientId, now: Instant) -> None:
        """The client has not been here for too long: it cannot end what it runs."""
        for execution in self._runs.claimed_by(client_id):
            self._runs.interrupt(execution, Reason.GONE, now)
        self._declarations.detach_missing(client_id, (), now)
        self._presence.forget(client_id)

    def _stop_offering(self, client_id: ClientId, now: Instant) -> None:
        """R17: an offer counts only while its client is here."""
        for execution in self._runs.pending_of(client_id):
            self._claims.stop_waiting(execution.execution_id)
        if not self._presence.awaited(client_id):
            self._await(client_id, now)

    def _await(self, client_id: ClientId, now: Instant) -> None:
        timer = self._memory.agenda.add(
            now + self._settings.client_gone_after, Rank.REQUEST, 0, ClientGone(client_id)
        )
        self._presence.set_gone_timer(client_id, timer)

    def _known_clients(self) -> set[ClientId]:
        world = self._memory.machine.world
        owners = {each.client_id for each in self._memory.registrations.values()}
        runners = {execution.client_id for execution in world.executions.values()}
        return {client_id for client_id in owners | runners if client_id is not None}
