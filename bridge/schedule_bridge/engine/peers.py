"""What a bridge asks of the others that share its store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from schedule_bridge.core.model import TriggerId, WorkspaceId


class Peers(Protocol):
    """The other bridges, by the URL where each is reached. All may raise PeerAwayError."""

    async def check(self, address: str) -> None:
        """Makes sure that a bridge of this store decides there."""
        ...

    async def remove_trigger(self, address: str, trigger_id: TriggerId) -> None:
        """Has a trigger removed (R14); one that is gone already is no fault."""
        ...

    async def take(self, address: str, workspace_id: WorkspaceId) -> None:
        """Has a bridge take a workspace that nobody owns."""
        ...
