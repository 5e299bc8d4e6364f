"""What the engine answers instead of a decision. None of them has changed anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedule_bridge.core.model import WorkspaceId


class TriggerUnknownError(Exception):
    """No trigger of that id is registered."""


class ExecutionUnknownError(Exception):
    """No execution of that id is known."""


class KeyReusedError(Exception):
    """The idempotency key came before, with another body."""


class StoreUnavailableError(Exception):
    """The store cannot be written at present, so nothing can be decided."""


class NotHandedOverError(Exception):
    """The workspace stays where it is; the message is a sentence that says why."""


class OwnedElsewhereError(Exception):
    """Another bridge decides for the workspace; `address` is the URL where it is reached."""

    def __init__(self, workspace_id: WorkspaceId, address: str) -> None:
        super().__init__(workspace_id, address)
        self.workspace_id = workspace_id
        self.address = address


class PeerAwayError(Exception):
    """Another bridge did not do what was asked of it; the message is a sentence that says why.

    `nothing_done` says that it has not begun to.
    """

    def __init__(self, why: str, *, nothing_done: bool) -> None:
        super().__init__(why)
        self.nothing_done = nothing_done
