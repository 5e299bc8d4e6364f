"""Which clients are here, and who speaks for them.

A client is here from its `here` until `away` or disconnection; only then is anything offered
to it. A trigger without a client counts as here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from schedule_bridge.core.agenda import Timer
    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import (
        ClientId,
        Execution,
        ExecutionId,
        TriggerId,
        WorkspaceId,
    )


class Link(Protocol):
    """A live connection to a client. Nothing here waits: what is told is queued for sending."""

    client_id: ClientId
    session_id: str
    workspace_id: WorkspaceId

    def offer(self, execution: Execution) -> None:
        """A start to be claimed (R17)."""
        ...

    def ended(self, execution_id: ExecutionId, execution: Execution | None) -> None:
        """An execution ended otherwise than by the client's own report; None: it is not known."""
        ...

    def decided(self, decision: Decision) -> None:
        """What came of a firing of one of the client's triggers."""
        ...

    def news(self, executions: Iterable[ExecutionId], triggers: Iterable[TriggerId]) -> None:
        """What has changed since the last news."""
        ...

    def close(self) -> None:
        """Drops the connection; the client will come back."""
        ...


@dataclass(slots=True)
class _Client:
    """One client as the engine sees it."""

    link: Link | None = None
    here: bool = False
    offers_open: bool = False
    gone_timer: Timer | None = None
    changed_executions: set[ExecutionId] = field(default_factory=set)
    changed_triggers: set[TriggerId] = field(default_factory=set)


class Presence:
    """The clients that are connected or were."""

    def __init__(self, on_news: Callable[[], None]) -> None:
        """`on_news` is called whenever there is something for `tell_news` to tell."""
        self._on_news = on_news
        self._clients: dict[ClientId, _Client] = {}
        self._changed_workspaces: set[WorkspaceId] = set()

    def is_here(self, client_id: ClientId | None) -> bool:
        """Whether ticks and starts of this client need not wait for it."""
        if client_id is None:
            return True
        client = self._clients.get(client_id)
        return client is not None and client.here

    def open_link(self, client_id: ClientId | None) -> Link | None:
        """The link of a client to which starts may be offered now."""
        client = self._clients.get(client_id) if client_id is not None else None
        return client.link if client is not None and client.offers_open else None

    def link_of(self, client_id: ClientId | None) -> Link | None:
        """The live connection of a client, whether it is here or not."""
        client = self._clients.get(client_id) if client_id is not None else None
        return client.link if client is not None else None

    def connect(self, link: Link) -> None:
        """A client has connected; it is not here until it says so."""
        client = self._client(link.client_id)
        client.link = link
        client.here = client.offers_open = False

    def arrive(self, link: Link) -> None:
        """The client has said `here`."""
        client = self._client(link.client_id)
        client.here = True
        if client.gone_timer is not None:
            client.gone_timer.disarm()
            client.gone_timer = None

    def open_offers(self, link: Link) -> None:
        """From now on starts are offered as they are decided."""
        client = self._client(link.client_id)
        client.offers_open = client.here and client.link is link

    def leave(self, link: Link, *, disconnected: bool) -> bool:
        """The client said `away` or its connection is lost; whether it was this link's to say."""
        client = self._clients.get(link.client_id)
        if client is None or client.link is not link:
            return False
        client.here = client.offers_open = False
        if disconnected:
            client.link = None
        return True

    def set_gone_timer(self, client_id: ClientId, timer: Timer) -> None:
        """Remembers when the client is taken for gone, unless it is here by then."""
        client = self._client(client_id)
        if client.gone_timer is not None:
            client.gone_timer.disarm()
        client.gone_timer = timer

    def awaited(self, client_id: ClientId) -> bool:
        """Whether a time is set at which the client is taken for gone."""
        return self._client(client_id).gone_timer is not None

    def note_execution(self, execution: Execution) -> None:
        """The execution has changed: news for its client, and its workspace's for all there."""
        self.note_workspace(execution.workspace_id)
        client = self._clients.get(execution.client_id) if execution.client_id else None
        if client is not None and client.link is not None:
            client.changed_executions.add(execution.execution_id)

    def note_trigger(self, client_id: ClientId | None, trigger_id: TriggerId) -> None:
        """The trigger has changed: news for its client."""
        client = self._clients.get(client_id) if client_id else None
        if client is not None and client.link is not None:
            client.changed_triggers.add(trigger_id)
            self._on_news()

    def note_workspace(self, workspace_id: WorkspaceId) -> None:
        """What is in use there, or its limit, has changed: news for all of its clients."""
        self._changed_workspaces.add(workspace_id)
        self._on_news()

    def tell_news(self) -> bool:
        """Sends each client what has changed; whether there was anything to send."""
        told = False
        workspaces, self._changed_workspaces = self._changed_workspaces, set()
        for client in self._clients.values():
            own = client.changed_executions or client.changed_triggers
            if client.link is None or not (own or client.link.workspace_id in workspaces):
                continue
            client.link.news(client.changed_executions, client.changed_triggers)
            client.changed_executions, client.changed_triggers = set(), set()
            told = True
        return told

    def forget(self, client_id: ClientId) -> None:
        """The client is taken for gone; one that is still connected may yet say `here`."""
        client = self._clients.get(client_id)
        if client is not None and client.link is not None:
            client.gone_timer = None
        else:
            self._clients.pop(client_id, None)

    def count_here(self) -> int:
        """How many clients are here."""
        return sum(client.here for client in self._clients.values())

    def links(self) -> list[Link]:
        """All live connections."""
        return [client.link for client in self._clients.values() if client.link is not None]

    def _client(self, client_id: ClientId) -> _Client:
        return self._clients.setdefault(client_id, _Client())
