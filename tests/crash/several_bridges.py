"""Several bridges on one PostgreSQL, each with a cable of its own to it."""

from __future__ import annotations

import asyncio
import secrets
from random import Random
from typing import TYPE_CHECKING, Protocol

import asyncpg

from crash.history import History
from crash.keeping import InDatabase
from crash.victim import Victim
from crash.witness import call_witness, testify
from databases.cable import Cable
from schedule_bridge.store.postgres.pools import SCHEMA
from service.shared_bridge import free_port

if TYPE_CHECKING:
    from pathlib import Path

    from crash.record import Record
    from crash.stage import Stage

_COUNT = 3
_SAYS_SO = frozenset({"store"})
"""What a bridge says as an error when it is cut off from the database, as it should."""
_OUT_OF_TIME = 1
_HELD = """
SELECT workspace_id FROM leases WHERE expires_at > clock_timestamp() AND address = ANY($1)
"""


class Fate(Protocol):
    """What befalls bridges."""

    async def happen(self, house: SeveralBridges, stage: Stage) -> None:
        """All of it; at the end all of them live."""
        ...


class SeveralBridges:
    """A House of three."""

    patience = 3.0
    may_be_away = True
    lease_seconds = 2.0

    def __init__(self, folder: Path, seed: str, fate: Fate) -> None:
        self.history = History()
        self.token = secrets.token_urlsafe(32)
        self._keeping = InDatabase(folder)
        self.cables = [self._cable(folder / str(number)) for number in range(_COUNT)]
        self.bridges = [
            self._bridge(folder / str(number), cable) for number, cable in enumerate(self.cables)
        ]
        self.out_of_time = 0
        """How many stops took longer than a stop may."""
        self._fate = fate
        self._choice = Random(f"{seed}/ways in")  # noqa: S311 - a seeded draw, not a secret

    async def way_in(self) -> str:
        """Any bridge that has said where it listens: whether it still answers is for clients."""
        while not (listening := [each for each in self.bridges if each.up.is_set()]):
            some = [asyncio.create_task(each.up.wait()) for each in self.bridges]
            await asyncio.wait(some, return_when=asyncio.FIRST_COMPLETED)
            for task in some:
                task.cancel()
        return self._choice.choice(listening).base

    async def held_by(self, bridges: list[Victim]) -> list[str]:
        """The workspaces that these bridges own, as the database knows it."""
        settings = {"search_path": SCHEMA}
        connection = await asyncpg.connect(self._keeping.url, server_settings=settings)
        try:
            rows = await connection.fetch(_HELD, [bridge.base for bridge in bridges])
        finally:
            await connection.close()
        return sorted(row["workspace_id"] for row in rows)

    async def suffer(self, stage: Stage) -> None:
        """Whatever is to befall them, from when all of them listen, and a witness sees it."""
        await asyncio.to_thread(call_witness, self._keeping.url)
        for cable in self.cables:
            await cable.plug_in()
        for bridge in self.bridges:
            await bridge.start()
            await bridge.listens()
        await self._fate.happen(self, stage)

    async def stop(self) -> None:
        """One after the other."""
        for bridge in self.bridges:
            await self.stop_in_order(bridge)

    async def stop_in_order(self, bridge: Victim) -> None:
        """It has a few seconds: what it has not given up by then would have to run out."""
        code = await bridge.terminate()
        self.out_of_time += code == _OUT_OF_TIME
        if code != 0:
            self.history.errors.append(f"The bridge {bridge.base} stopped with exit code {code}.")

    async def end(self) -> None:
        """Leaves neither a process nor a connection behind."""
        for bridge in self.bridges:
            bridge.kill()
        for cable in self.cables:
            await cable.pull_out()

    async def read_into(self, record: Record) -> None:
        """What the database holds, which has to be sound, and what the witness saw."""
        await asyncio.to_thread(testify, self._keeping.url, record)
        self.history.errors += await asyncio.to_thread(self._keeping.faults)
        await self._keeping.read_into(record)

    def _cable(self, folder: Path) -> Cable:
        folder.mkdir()
        return Cable(self._keeping.url, folder)

    def _bridge(self, folder: Path, cable: Cable) -> Victim:
        bridge = Victim(
            folder,
            self.history,
            port=free_port(),
            expected=_SAYS_SO,
            SCHEDULE_BRIDGE_DATABASE=cable.url,
            SCHEDULE_BRIDGE_LEASE_SECONDS=str(self.lease_seconds),
        )
        bridge.folder.mkdir(mode=0o700)
        token_file = bridge.folder / "token"
        token_file.touch(0o600)
        token_file.write_text(self.token)
        return bridge
