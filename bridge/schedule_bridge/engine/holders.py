"""Which other bridges have which workspaces, as far as was heard of late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.engine.tenure import passed

if TYPE_CHECKING:
    from schedule_bridge.core.model import WorkspaceId


class Holders:
    """Addresses of owners, each believed for so many seconds. The owner itself knows better."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._of: dict[WorkspaceId, tuple[str, float]] = {}

    def find(self, workspace_id: WorkspaceId) -> str | None:
        """Where the owner of a workspace is reached, if that was heard of late."""
        address, until = self._of.get(workspace_id, ("", 0.0))
        return address if passed() < until else None

    def note(self, workspace_id: WorkspaceId, address: str) -> None:
        """The owner of a workspace is reached there."""
        now = passed()
        self._of.pop(workspace_id, None)  # the newest stand last, so the first are over first
        while self._of and next(iter(self._of.values()))[1] < now:
            del self._of[next(iter(self._of))]
        self._of[workspace_id] = (address, now + self._seconds)

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Its owner is not known any more."""
        self._of.pop(workspace_id, None)
