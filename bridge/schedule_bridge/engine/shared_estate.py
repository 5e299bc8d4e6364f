"""The estate of one of several bridges on one store: an engine for each workspace that it owns."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from schedule_bridge.core.model import TriggerId, WorkspaceId
from schedule_bridge.engine.clock import sleep
from schedule_bridge.engine.directory import Directory
from schedule_bridge.engine.engine import Engine
from schedule_bridge.engine.errors import (
    ExecutionUnknownError,
    NotHandedOverError,
    OwnedElsewhereError,
    PeerAwayError,
    StoreUnavailableError,
    TriggerUnknownError,
)
from schedule_bridge.engine.ownership import BridgeName, Ownership
from schedule_bridge.engine.pruning import limits_of
from schedule_bridge.engine.tally import Tally
from schedule_bridge.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import (
        Duration,
        Execution,
        ExecutionId,
        Instant,
    )
    from schedule_bridge.engine.answers import RequestName
    from schedule_bridge.engine.clock import Clock
    from schedule_bridge.engine.peers import Peers
    from schedule_bridge.engine.settings import Settings
    from schedule_bridge.engine.tenure import Tenure
    from schedule_bridge.store import DecisionQuery, ExecutionQuery, SharedDatabase, TriggerPast

log = logging.getLogger("schedule_bridge.ownership")


class SharedEstate:
    """An Estate; what it is asked for raises OwnedElsewhereError where another bridge decides."""

    def __init__(
        self,
        database: SharedDatabase,
        settings: Settings,
        clock: Clock,
        *,
        name: BridgeName,
        lease_seconds: float,
        peers: Peers,
    ) -> None:
        """`name` is that of this bridge, `peers` are the others that share the database."""
        self.tally = Tally()
        self.started_at: Instant = 0
        self.ownership = Ownership(database, name, lease_seconds, self._furnish)
        self._name = name
        self._database = database
        self._settings = settings
        self._clock = clock
        self._peers = peers
        self._directory = Directory()
        self._pruning: asyncio.Task[None] | None = None

    def _furnish(self, tenure: Tenure) -> Engine:
        return Engine(
            tenure.store,
            self._settings,
            self._clock,
            tally=self.tally,
            tenure=tenure,
            make_part=partial(self._directory.part_of, tenure.workspace_id),
        )

    # its life

    async def start(self) -> None:
        """Begins to own workspaces; the database is open. May raise StoreError."""
        self.started_at = self.now()
        await self.ownership.begin()
        self._pruning = asyncio.create_task(self._keep_pruning())

    async def stop(self) -> None:
        """Gives up all workspaces; the database stays open."""
        if self._pruning is not None:
            self._pruning.cancel()
        await self.ownership.stop()

    async def _keep_pruning(self) -> None:
        """The history of workspaces that nobody owns; an owner prunes its own."""
        while True:
            await sleep(self._clock, self._settings.prune_every)
            try:
                while await self._database.prune_free(limits_of(self._settings, self.now())):
                    pass
            except StoreError as error:
                log.warning("Pruning failed: %s", error, extra={"action": "prune"})

    # what it says of itself

    @property
    def store_kind(self) -> tuple[str, int]:
        """What kind of store it is, and the version of its schema."""
        return "postgresql", self._database.schema_version

    @property
    def engines(self) -> Sequence[Engine]:
        """The engines of the workspaces that it owns at present."""
        return self.ownership.engines

    @property
    def ready(self) -> bool:
        """Whether decisions can be made now."""
        return self.ownership.in_touch

    @property
    def losses(self) -> int:
        """How many workspaces it has lost to other bridges, without giving them up."""
        return self.ownership.losses

    def now(self) -> Instant:
        """The wall clock; each workspace has an engine time of its own."""
        return self._clock.wall()

    @property
    def ahead(self) -> Duration:
        """How far engine time runs ahead of the wall clock, at the most."""
        return max((engine.ahead for engine in self.engines), default=0)

    # who decides

    async def of_workspace(self, workspace_id: WorkspaceId) -> Engine:
        """The engine that decides for a workspace, which is taken if nobody owns it."""
        return await self.ownership.engine_of(workspace_id)

    def with_trigger(self, trigger_id: TriggerId) -> Engine | None:
        """The engine that decides about it, if that is clear without asking the store."""
        engine = self._at(self._directory.triggers.get(trigger_id))
        return engine if engine is not None and engine.knows_trigger(trigger_id) else None

    def with_execution(self, execution_id: ExecutionId) -> Engine | None:
        """The same of an execution that is active."""
        engine = self._at(self._directory.executions.get(execution_id))
        return engine if engine is not None and engine.runs(execution_id) else None

    def _at(self, workspace_id: WorkspaceId | None) -> Engine | None:
        return None if workspace_id is None else self.here(workspace_id)

    async def of_trigger(self, trigger_id: TriggerId, request: RequestName | None = None) -> Engine:
        """The engine that knows a trigger, or the answer to a named request about a removed one."""
        engine = self.with_trigger(trigger_id)
        if engine is not None:
            return engine
        with _asking():
            found = await self._database.workspaces_of_triggers([trigger_id])
            workspace_id = found.get(trigger_id)
            if workspace_id is None and request is not None and request.key is not None:
                workspace_id = await self._database.workspace_of_answer(request.key)
        if workspace_id is None:
            raise TriggerUnknownError(trigger_id)
        return await self.of_workspace(workspace_id)

    async def of_execution(self, execution_id: ExecutionId) -> Engine:
        """The engine that knows an execution, active or ended."""
        engine = self.with_execution(execution_id)
        if engine is not None:
            return engine
        with _asking():
            workspace_id = await self._database.workspace_of_execution(execution_id)
        if workspace_id is None:
            raise ExecutionUnknownError(execution_id)
        return await self.of_workspace(workspace_id)

    async def to_declare(
        self, workspace_id: WorkspaceId, trigger_ids: Sequence[TriggerId]
    ) -> Engine:
        """The engine of a workspace; what others have of these triggers is removed there (R14)."""
        engine = await self.of_workspace(workspace_id)
        strange = [each for each in trigger_ids if not engine.knows_trigger(each)]
        if strange:
            with _asking():
                found = await self._database.workspaces_of_triggers(strange)
            for trigger_id, other in found.items():
                if other != workspace_id:
                    await self._remove(trigger_id, other)
        return engine

    async def _remove(self, trigger_id: TriggerId, workspace_id: WorkspaceId) -> None:
        try:
            engine = await self.of_workspace(workspace_id)
            await engine.remove(trigger_id)
        except TriggerUnknownError:
            return
        except OwnedElsewhereError as elsewhere:
            try:
                await self._peers.remove_trigger(elsewhere.address, trigger_id)
            except PeerAwayError as error:
                self.ownership.doubt(workspace_id)
                raise StoreUnavailableError(str(error)) from error

    async def hand_over(self, workspace_id: WorkspaceId, to: str | None) -> str:
        """Lets another bridge decide for a workspace, that at `to` if it is named; where it is."""
        await self.of_workspace(workspace_id)
        if to == self._name.address:
            raise NotHandedOverError("This bridge decides for the workspace already.")
        address = await self._one_that_runs(to)
        try:
            await self._peers.check(address)
            await self.ownership.give_up(workspace_id, address)
            await self._peers.take(address, workspace_id)
        except PeerAwayError as error:
            self.ownership.doubt(workspace_id)
            raise NotHandedOverError(str(error)) from error
        return address

    async def _one_that_runs(self, to: str | None) -> str:
        """Another bridge of the store: that at `to`, or else the one that owns the fewest.

        No other address is ever asked: whoever has the token could make a bridge call anything.
        """
        with _asking():
            addresses = set(await self._database.register.addresses()) - {self._name.address}
            holders = await self._database.leases.holders()
        if to is not None and to not in addresses:
            known = f"Others run at {', '.join(sorted(addresses))}." if addresses else "None does."
            raise NotHandedOverError(f"No other bridge of this store runs at {to}. {known}")
        if not addresses:
            raise NotHandedOverError("No other bridge of this store runs.")
        burdens = Counter(lease.address for lease in holders)
        return to or min(addresses, key=lambda address: (burdens[address], address))

    def here(self, workspace_id: WorkspaceId) -> Engine | None:
        """The engine that decides for a workspace, if this bridge owns it."""
        return self.ownership.here(workspace_id)

    # history

    async def triggers(
        self, workspace_id: WorkspaceId | None, after: str, limit: int
    ) -> list[tuple[TriggerId, WorkspaceId]]:
        """The first triggers with an id beyond `after`, of one workspace or all, by id."""
        if workspace_id is not None:
            await self.of_workspace(workspace_id)
        with _asking():
            return list(await self._database.trigger_ids(workspace_id, after, limit))

    async def executions(self, query: ExecutionQuery) -> list[Execution]:
        """Executions, newest first; the owner is asked for those of one workspace or trigger."""
        await self._to_owner_of(query)
        with _asking():
            return await self._database.history.executions(query)

    async def _to_owner_of(self, query: ExecutionQuery) -> None:
        """The owner alone knows what an execution waits for."""
        workspace_id = query.workspace_id
        if workspace_id is None and query.trigger_id is not None:
            with _asking():
                found = await self._database.workspaces_of_triggers([TriggerId(query.trigger_id)])
            workspace_id = found.get(TriggerId(query.trigger_id))
        if workspace_id is not None:
            await self.of_workspace(WorkspaceId(workspace_id))

    async def decisions(self, query: DecisionQuery) -> list[tuple[int, Decision]]:
        """Decisions, newest first."""
        with _asking():
            return await self._database.history.decisions(query)

    async def pasts(
        self, trigger_ids: Sequence[TriggerId], *, runs: int, missed: int
    ) -> dict[TriggerId, TriggerPast]:
        """What history holds of each trigger, with at most so many runs and missed stretches."""
        with _asking():
            return await self._database.history.pasts(trigger_ids, runs=runs, missed=missed)


@contextmanager
def _asking() -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        raise StoreUnavailableError(str(error)) from error
