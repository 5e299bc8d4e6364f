"""Which engine decides: for a workspace, a trigger, an execution.

A store that belongs to one bridge has one engine for all of its workspaces. Several bridges on one
store have an engine for each workspace that they own. The API knows the one way only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import (
        Duration,
        Execution,
        ExecutionId,
        Instant,
        TriggerId,
        WorkspaceId,
    )
    from schedule_bridge.engine.answers import RequestName
    from schedule_bridge.engine.engine import Engine
    from schedule_bridge.engine.tally import Tally
    from schedule_bridge.store import DecisionQuery, ExecutionQuery, TriggerPast


class Estate(Protocol):
    """The engines of one bridge, and history over all workspaces of its store.

    Whatever is asked of it may raise StoreUnavailableError, and OwnedElsewhereError where another
    bridge decides.
    """

    @property
    def started_at(self) -> Instant:
        """When the bridge began to keep time."""
        ...

    @property
    def tally(self) -> Tally:
        """What its engines have done since the process began."""
        ...

    @property
    def store_kind(self) -> tuple[str, int]:
        """What kind of store it is, and the version of its schema."""
        ...

    @property
    def engines(self) -> Sequence[Engine]:
        """The engines that decide here at present."""
        ...

    @property
    def ready(self) -> bool:
        """Whether decisions can be made now."""
        ...

    @property
    def losses(self) -> int:
        """How many workspaces it has lost to other bridges, without giving them up."""
        ...

    def now(self) -> Instant:
        """Engine time."""
        ...

    @property
    def ahead(self) -> Duration:
        """How far engine time runs ahead of the wall clock."""
        ...

    async def start(self) -> None:
        """Opens the store and begins to keep time."""
        ...

    async def stop(self) -> None:
        """Commits what was accepted, then lets go of the store."""
        ...

    async def of_workspace(self, workspace_id: WorkspaceId) -> Engine:
        """The engine that decides for a workspace."""
        ...

    async def to_declare(
        self, workspace_id: WorkspaceId, trigger_ids: Sequence[TriggerId]
    ) -> Engine:
        """The engine of a workspace that is about to declare triggers of those ids."""
        ...

    def with_trigger(self, trigger_id: TriggerId) -> Engine | None:
        """The engine that decides about it, if that is clear without asking the store."""
        ...

    def with_execution(self, execution_id: ExecutionId) -> Engine | None:
        """The same of an execution that is active."""
        ...

    async def of_trigger(self, trigger_id: TriggerId, request: RequestName | None = None) -> Engine:
        """The engine that knows a trigger, or the answer to a named request about a removed one.

        If none knows it, any engine, or TriggerUnknownError.
        """
        ...

    async def of_execution(self, execution_id: ExecutionId) -> Engine:
        """The engine that knows an execution, active or ended.

        If none knows it, any engine, or ExecutionUnknownError.
        """
        ...

    async def hand_over(self, workspace_id: WorkspaceId, to: str | None) -> str:
        """Lets another bridge decide for a workspace, that at `to` if it is named; where it is.

        Raises:
            NotHandedOverError: the workspace stays.
        """
        ...

    def here(self, workspace_id: WorkspaceId) -> Engine | None:
        """The engine that decides for a workspace, if it is one of this bridge."""
        ...

    async def triggers(
        self, workspace_id: WorkspaceId | None, after: str, limit: int
    ) -> list[tuple[TriggerId, WorkspaceId]]:
        """The first triggers with an id beyond `after`, of one workspace or all, by id."""
        ...

    async def executions(self, query: ExecutionQuery) -> list[Execution]:
        """Executions, newest first."""
        ...

    async def decisions(self, query: DecisionQuery) -> list[tuple[int, Decision]]:
        """Decisions, newest first."""
        ...

    async def pasts(
        self, trigger_ids: Sequence[TriggerId], *, runs: int, missed: int
    ) -> dict[TriggerId, TriggerPast]:
        """What history holds of each trigger, with at most so many runs and missed stretches."""
        ...
