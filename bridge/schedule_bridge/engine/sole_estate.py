"""The estate of a bridge whose store is its alone: one engine for all workspaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.engine.errors import NotHandedOverError

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


class SoleEstate:
    """An Estate of one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.engines = (engine,)

    @property
    def started_at(self) -> Instant:
        """When the bridge began to keep time."""
        return self._engine.started_at

    @property
    def tally(self) -> Tally:
        """What the engine has done since the process began."""
        return self._engine.tally

    @property
    def store_kind(self) -> tuple[str, int]:
        """What kind of store it is, and the version of its schema."""
        return self._engine.store.kind, self._engine.store.schema_version

    @property
    def ready(self) -> bool:
        """Whether decisions can be made now."""
        return self._engine.ready

    @property
    def losses(self) -> int:
        """Nobody else could have taken anything."""
        return 0

    def now(self) -> Instant:
        """Engine time."""
        return self._engine.now()

    @property
    def ahead(self) -> Duration:
        """How far engine time runs ahead of the wall clock."""
        return self._engine.ahead

    async def start(self) -> None:
        """Opens the store and begins to keep time."""
        await self._engine.start()

    async def stop(self) -> None:
        """Commits what was accepted, then lets go of the store."""
        await self._engine.stop()

    async def of_workspace(self, _workspace_id: WorkspaceId) -> Engine:
        """The engine."""
        return self._engine

    async def to_declare(
        self, _workspace_id: WorkspaceId, _trigger_ids: Sequence[TriggerId]
    ) -> Engine:
        """The engine."""
        return self._engine

    def with_trigger(self, _trigger_id: TriggerId) -> Engine | None:
        """The engine."""
        return self._engine

    def with_execution(self, execution_id: ExecutionId) -> Engine | None:
        """The engine, if the execution is active."""
        return self._engine if self._engine.runs(execution_id) else None

    async def of_trigger(
        self, _trigger_id: TriggerId, _request: RequestName | None = None
    ) -> Engine:
        """The engine."""
        return self._engine

    async def of_execution(self, _execution_id: ExecutionId) -> Engine:
        """The engine."""
        return self._engine

    async def hand_over(self, _workspace_id: WorkspaceId, _to: str | None) -> str:
        """There is nobody to hand anything over to."""
        raise NotHandedOverError("The store is this bridge's alone: no other bridge could decide.")

    def here(self, _workspace_id: WorkspaceId) -> Engine | None:
        """The engine."""
        return self._engine

    async def triggers(
        self, workspace_id: WorkspaceId | None, after: str, limit: int
    ) -> list[tuple[TriggerId, WorkspaceId]]:
        """The first triggers with an id beyond `after`, of one workspace or all, by id."""
        registrations = (await self._engine.house()).memory.registrations
        found = sorted(
            (trigger_id, registration.workspace_id)
            for trigger_id, registration in registrations.items()
            if trigger_id > after and workspace_id in (None, registration.workspace_id)
        )
        return found[:limit]

    async def executions(self, query: ExecutionQuery) -> list[Execution]:
        """Executions, newest first."""
        return await self._engine.executions(query)

    async def decisions(self, query: DecisionQuery) -> list[tuple[int, Decision]]:
        """Decisions, newest first."""
        return await self._engine.decisions(query)

    async def pasts(
        self, trigger_ids: Sequence[TriggerId], *, runs: int, missed: int
    ) -> dict[TriggerId, TriggerPast]:
        """What history holds of each trigger, with at most so many runs and missed stretches."""
        return await self._engine.pasts(trigger_ids, runs=runs, missed=missed)
