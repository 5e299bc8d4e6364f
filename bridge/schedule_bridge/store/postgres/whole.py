"""A whole database in the hands of one owner, which renews its lease by itself."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from typing import Final

from schedule_bridge.store.errors import StoreError
from schedule_bridge.store.postgres.database import PostgresDatabase
from schedule_bridge.store.postgres.leases import EVERYTHING
from schedule_bridge.store.postgres.store import PostgresStore
from schedule_bridge.store.shared import Lease

log = logging.getLogger("schedule_bridge.store")

LEASE_SECONDS: Final = 10.0
"""How long whoever stopped without a word keeps others waiting."""
_RENEWALS: Final = 3
"""How often a lease is renewed while it lasts."""
_LOOK_AGAIN_SECONDS: Final = 0.2


class WholePostgresStore(PostgresStore):
    """A Store of all workspaces. To open it waits until a former owner's lease has run out."""

    def __init__(self, url: str, lease_seconds: float = LEASE_SECONDS) -> None:
        owner = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        nothing = Lease(EVERYTHING, owner, owner, epoch=0, mine=False)
        super().__init__(PostgresDatabase(url), nothing, lease_seconds)
        self._renewing: asyncio.Task[None] | None = None

    @property
    def owner(self) -> str:
        """Who this is, among all that want the lease; another one in each life of a process."""
        return self._lease.owner

    async def open(self) -> None:
        """Makes or migrates the schema and takes the lease on everything.

        Raises:
            StoreError: another bridge has the store and goes on having it.
        """
        await self._database.open()
        try:
            await self._take()
        except BaseException:
            await self._database.close()
            raise
        self._renewing = asyncio.create_task(self._renew(), name="lease")

    async def close(self) -> None:
        """Waits for what is under way, and makes the lease free."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.wait([self._renewing])
        await super().close()
        if self._renewing is not None:
            self._renewing = None
            await self._release()
        await self._database.close()

    async def _release(self) -> None:
        try:
            await self._database.leases.release(EVERYTHING, self.owner, self.epoch)
        except StoreError as error:  # it runs out by itself
            log.warning("The lease could not be released: %s", error, extra={"action": "lease"})

    async def _take(self) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._seconds + 1
        while True:
            taken = await self._database.leases.take(
                EVERYTHING, self.owner, self.owner, self._seconds
            )
            if taken.mine:
                self._lease = taken
                return
            if loop.time() > until:
                raise StoreError(
                    f"Another bridge is using the store {self.name}: {taken.address}. Stop that "
                    "one, or give this one a database of its own with --database."
                )
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)

    async def _renew(self) -> None:
        """One that has run out is taken anew by `reopen`, after the first commit that fails."""
        while True:
            await asyncio.sleep(self._seconds / _RENEWALS)
            try:
                epochs = {EVERYTHING: self.epoch}
                await self._database.leases.renew(self.owner, epochs, self._seconds)
            except StoreError as error:
                log.warning("The lease was not renewed: %s", error, extra={"action": "lease"})
