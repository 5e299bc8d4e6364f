"""The workspaces that this bridge owns: taken when somebody asks, kept by renewal, given up.

What ends a tenure: a renewal that is refused, a commit that is, or this bridge's own clock, before
the lease runs out for others.
"""

from __future__ import annotations

import asyncio
import logging
import random
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from schedule_bridge.core.model import SECOND
from schedule_bridge.engine.errors import OwnedElsewhereError, StoreUnavailableError
from schedule_bridge.engine.holders import Holders
from schedule_bridge.engine.tenure import Tenure, passed
from schedule_bridge.store import StaleEpochError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from schedule_bridge.core.model import WorkspaceId
    from schedule_bridge.engine.engine import Engine
    from schedule_bridge.store import Lease, SharedDatabase

log = logging.getLogger("schedule_bridge.ownership")

_RENEWALS: Final = 4
"""How often a lease is renewed before it would run out."""
_SOUGHT_AT_ONCE: Final = 100


@dataclass(slots=True, frozen=True)
class BridgeName:
    """One life of a bridge: what it calls itself, and the URL where the others reach it."""

    owner: str
    address: str


@dataclass(slots=True, frozen=True)
class Owned:
    """A workspace of this bridge, and the engine that decides for it."""

    tenure: Tenure
    engine: Engine


class Ownership:
    """Takes, keeps and gives up workspaces."""

    def __init__(
        self,
        database: SharedDatabase,
        name: BridgeName,
        lease_seconds: float,
        furnish: Callable[[Tenure], Engine],
    ) -> None:
        """`furnish` makes the engine of a workspace that was taken."""
        self.losses = 0
        self._leases = database.leases
        self._database = database
        self._name = name
        self._seconds = lease_seconds
        self._furnish = furnish
        self._held: dict[WorkspaceId, Owned] = {}
        self._open: dict[WorkspaceId, Owned] = {}
        self._taking: dict[WorkspaceId, asyncio.Task[Engine]] = {}
        self._leaving: dict[WorkspaceId, asyncio.Event] = {}
        self._vacant: set[WorkspaceId] = set()
        self._elsewhere = Holders(lease_seconds / 2)
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False
        self._heard_at = passed()

    # questions

    @property
    def engines(self) -> list[Engine]:
        """The engines that decide here at present."""
        return [owned.engine for owned in self._open.values()]

    @property
    def in_touch(self) -> bool:
        """Whether the database has answered within a lease time."""
        return passed() - self._heard_at < self._seconds

    def here(self, workspace_id: WorkspaceId) -> Engine | None:
        """The engine of a workspace of this bridge."""
        owned = self._open.get(workspace_id)
        return owned.engine if owned is not None and owned.tenure.holds() else None

    async def engine_of(self, workspace_id: WorkspaceId) -> Engine:
        """The engine of a workspace, which is taken if nobody has it.

        Raises:
            OwnedElsewhereError: another bridge has it.
            StoreUnavailableError: nobody can say who has it.
        """
        engine = self.here(workspace_id)
        if engine is not None:
            return engine
        if workspace_id in self._leaving:  # its lease is ours yet, and must not be taken anew
            await self._leaving[workspace_id].wait()
        address = self._elsewhere.find(workspace_id)
        if address is not None:
            raise OwnedElsewhereError(workspace_id, address)
        task = self._taking.get(workspace_id)
        if task is None:
            task = self._taking[workspace_id] = asyncio.create_task(self._take(workspace_id))
            task.add_done_callback(lambda done: self._taken(workspace_id, done))
        return await asyncio.shield(task)  # others may wait for it as well

    def doubt(self, workspace_id: WorkspaceId) -> None:
        """Whoever was said to have the workspace does not answer for it."""
        self._elsewhere.forget(workspace_id)

    # taking

    async def _take(self, workspace_id: WorkspaceId) -> Engine:
        if self._stopping:
            raise StoreUnavailableError("The bridge stops.")
        began = passed()
        try:
            lease = await self._leases.take(
                workspace_id, self._name.owner, self._name.address, self._seconds
            )
            self._heard_at = passed()
            if not lease.mine:
                self._elsewhere.note(workspace_id, lease.address)
                raise OwnedElsewhereError(workspace_id, lease.address)
            return await self._move_in(lease, began)
        except StoreError as error:
            raise StoreUnavailableError(str(error)) from error

    async def _move_in(self, lease: Lease, began: float) -> Engine:
        workspace_id = lease.workspace_id
        store = self._database.of_workspace(lease, self._seconds)
        tenure = Tenure(store, workspace_id, began=began, seconds=self._seconds)
        owned = Owned(tenure, self._furnish(tenure))
        tenure.watch(lambda: self._lost(owned))
        self._held[workspace_id] = owned  # renewed from now on: reading it may take long
        try:
            await owned.engine.start()
        except BaseException:
            await self._let_go(owned)
            raise
        if not tenure.holds():
            raise StaleEpochError("The lease on the workspace ran out while it was read.")
        self._open[workspace_id] = owned
        log.info("This bridge decides for %s.", workspace_id, extra={"action": "own"})
        return owned.engine

    def _taken(self, workspace_id: WorkspaceId, done: asyncio.Task[Engine]) -> None:
        del self._taking[workspace_id]
        if not done.cancelled():
            done.exception()  # whoever asked may have gone away

    # keeping

    async def begin(self) -> None:
        """Begins to renew what is owned and to look for what nobody owns; may raise StoreError."""
        await self._enter()
        self._spawn(self._keep_renewing())
        self._spawn(self._keep_seeking())

    async def _keep_renewing(self) -> None:
        while True:
            await asyncio.sleep(self._seconds / _RENEWALS)
            with suppress(StoreError, TimeoutError):  # the next renewal may come in time yet
                async with asyncio.timeout(self._seconds / 2):
                    await self._renew()
                    await self._enter()

    async def _enter(self) -> None:
        """Says to the other bridges that this one runs."""
        await self._database.register.enter(self._name.owner, self._name.address, self._seconds)

    async def _renew(self) -> None:
        asked = {each: owned.tenure.store.epoch for each, owned in self._held.items()}
        began = passed()
        kept = await self._leases.renew(self._name.owner, asked, self._seconds)
        self._heard_at = passed()
        for workspace_id, epoch in asked.items():
            owned = self._held.get(workspace_id)
            # One that has read itself back meanwhile has another epoch: the next renewal tells.
            if owned is None or owned.tenure.store.epoch != epoch:
                continue
            if workspace_id in kept:
                owned.tenure.extend(began)
            else:
                owned.tenure.lose()

    async def _keep_seeking(self) -> None:
        while True:
            with suppress(StoreError):  # whoever asks for a workspace is told
                await self._seek()
            await self._give_up_vacant()
            await asyncio.sleep(self._seconds / 2)

    async def _seek(self) -> None:
        """Takes workspaces that nobody owns though something is due there."""
        within = round(self._seconds * SECOND)
        found = list(await self._leases.wanting(_SOUGHT_AT_ONCE, within))
        self._heard_at = passed()
        random.shuffle(found)  # bridges that look at the same moment come by a share each
        for workspace_id in found:
            try:
                await self.engine_of(workspace_id)
            except OwnedElsewhereError:
                pass  # another bridge was quicker
            except Exception as error:
                log.warning(
                    "Workspace %s cannot be taken: %s", workspace_id, error, extra={"action": "own"}
                )

    # giving up

    async def _give_up_vacant(self) -> None:
        """Keeps no engine for a workspace that was asked for once: vacant at two looks, it goes."""
        vacant = {each for each, owned in self._open.items() if owned.engine.is_vacant}
        for workspace_id in vacant & self._vacant:
            await self.give_up(workspace_id)
        self._vacant = vacant

    def _lost(self, owned: Owned) -> None:
        """Drops memory and streams at once: another bridge decides now, or soon."""
        self._forget(owned)
        self.losses += 1
        owned.engine.disown()
        log.warning(
            "This bridge decides no longer for %s: its lease was not renewed.",
            *(owned.tenure.workspace_id,),
            extra={"action": "disown"},
        )
        self._spawn(owned.engine.stop())

    async def give_up(self, workspace_id: WorkspaceId, to: str | None = None) -> None:
        """Commits what was accepted, then lets another bridge have the workspace: that at `to`."""
        owned = self._open.get(workspace_id)
        if owned is None:
            return
        left = self._leaving[workspace_id] = asyncio.Event()
        try:
            await self._move_out(owned, to)
            if to is not None:
                self._elsewhere.note(workspace_id, to)
        finally:
            del self._leaving[workspace_id]
            left.set()
        log.info("This bridge gives up %s.", workspace_id, extra={"action": "disown"})

    async def _move_out(self, owned: Owned, to: str | None) -> None:
        self._forget(owned)
        owned.tenure.end()
        for link in owned.engine.presence.links():
            link.close()
        await owned.engine.stop()
        await self._let_go(owned, to)

    async def stop(self) -> None:
        """Gives up everything."""
        self._stopping = True
        for task in list(self._taking.values()):
            with suppress(Exception):
                await task
        await asyncio.gather(*(self.give_up(each) for each in list(self._open)))
        work = list(self._tasks)
        for each in work:
            each.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        with suppress(StoreError):  # then its entry runs out
            await self._database.register.leave(self._name.owner)

    async def _let_go(self, owned: Owned, to: str | None = None) -> None:
        """Frees a lease, at first for the bridge at `to`; one that cannot be freed runs out."""
        self._forget(owned)
        owned.tenure.end()
        store = owned.tenure.store
        with suppress(StoreError):
            workspace_id = owned.tenure.workspace_id
            await self._leases.release(workspace_id, self._name.owner, store.epoch, to)

    def _forget(self, owned: Owned) -> None:
        workspace_id = owned.tenure.workspace_id
        for table in (self._open, self._held):
            if table.get(workspace_id) is owned:
                del table[workspace_id]

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
