"""What bridges ask of a store that several of them share: leases, and where things are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from schedule_bridge.store.protocol import Store

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from schedule_bridge.core.model import Duration, ExecutionId, TriggerId, WorkspaceId
    from schedule_bridge.store.protocol import History, PruneLimits


KEPT_SECONDS: Final = 2.0
"""How long a lease that was handed over is kept for the bridge that shall have it."""


@dataclass(slots=True, frozen=True)
class Lease:
    """Who owns a workspace, under which epoch, and where it is reached; `mine`: the asker does."""

    workspace_id: WorkspaceId
    owner: str
    address: str
    epoch: int
    mine: bool


class Leases(Protocol):
    """Who owns which workspace, by the clock of the database. All methods may raise StoreError."""

    async def take(
        self, workspace_id: WorkspaceId, owner: str, address: str, seconds: float
    ) -> Lease:
        """Takes a free lease, or this owner's own anew, under a new epoch; else says who has it."""
        ...

    async def renew(
        self, owner: str, epochs: Mapping[WorkspaceId, int], seconds: float
    ) -> set[WorkspaceId]:
        """Which of the owner's leases are held for so long from now; one that ran out is lost."""
        ...

    async def release(
        self, workspace_id: WorkspaceId, owner: str, epoch: int, kept_for: str | None = None
    ) -> None:
        """Makes a lease free at once, if it is still the owner's.

        For KEPT_SECONDS it is free for the bridge at `kept_for` alone, if that is named.
        """
        ...

    async def holders(self) -> Sequence[Lease]:
        """The leases that have not run out."""
        ...

    async def wanting(self, limit: int, within: Duration) -> Sequence[WorkspaceId]:
        """Workspaces that nobody owns though something goes on there, or is due so soon."""
        ...


class Register(Protocol):
    """The bridges that run, by the clock of the database. All methods may raise StoreError."""

    async def enter(self, owner: str, address: str, seconds: float) -> None:
        """One life of a bridge is reached at the address, for so long from now."""
        ...

    async def leave(self, owner: str) -> None:
        """That life is over."""
        ...

    async def addresses(self) -> Sequence[str]:
        """Where bridges are reached that run."""
        ...


class SharedDatabase(Protocol):
    """A store that several bridges share. All methods may raise StoreError."""

    schema_version: int

    @property
    def leases(self) -> Leases:
        """Who owns what."""
        ...

    @property
    def register(self) -> Register:
        """Which bridges run."""
        ...

    @property
    def history(self) -> History:
        """The past of all workspaces, whoever owns them."""
        ...

    async def open(self) -> None:
        """Makes or migrates the schema."""
        ...

    async def close(self) -> None:
        """Lets go of the store."""
        ...

    def of_workspace(self, lease: Lease, seconds: float) -> LeasedStore:
        """What the owner of a workspace reads and writes, under its epoch."""
        ...

    async def workspaces_of_triggers(
        self, trigger_ids: Sequence[TriggerId]
    ) -> dict[TriggerId, WorkspaceId]:
        """Which workspaces the triggers are in, of those that are registered."""
        ...

    async def workspace_of_execution(self, execution_id: ExecutionId) -> WorkspaceId | None:
        """Which workspace an execution is of, active or ended."""
        ...

    async def workspace_of_answer(self, key: str) -> WorkspaceId | None:
        """A workspace that has answered a request of that name."""
        ...

    async def trigger_ids(
        self, workspace_id: WorkspaceId | None, after: str, limit: int
    ) -> Sequence[tuple[TriggerId, WorkspaceId]]:
        """The first triggers with an id beyond `after`, of one workspace or all, by id."""
        ...

    async def agree_on_token(self, digest: bytes) -> bool:
        """Whether the bridges of the store may have this token: it is theirs, or there is none."""
        ...

    async def prune_free(self, limits: PruneLimits) -> int:
        """Prunes one small step of a workspace that nobody owns; how many rows went."""
        ...


class LeasedStore(Store, Protocol):
    """The store of one workspace; `reopen` takes its lease anew, under another epoch."""

    @property
    def epoch(self) -> int:
        """What every write is made under."""
        ...
