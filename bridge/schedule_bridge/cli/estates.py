"""The estate of a bridge that is to be run: over the embedded store, or over a shared one."""

from __future__ import annotations

import hashlib
import secrets
import socket
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from schedule_bridge.api.forwarding import Forwarder
from schedule_bridge.api.peers import BridgePeers, is_address
from schedule_bridge.api.token import TokenError
from schedule_bridge.cli.postgres import postgres
from schedule_bridge.engine import BridgeName, Engine, SharedEstate, SoleEstate, SystemClock
from schedule_bridge.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from schedule_bridge.engine import Estate, Settings
    from schedule_bridge.store import SharedDatabase

_ANYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104 - not bound here


class AddressError(Exception):
    """The bridge cannot be reached as it should be; the message is a sentence for a person."""


@dataclass(slots=True, frozen=True)
class Place:
    """Where the bridge keeps its record, and how the others that do so reach it."""

    database: Path | str
    address: str
    lease_seconds: float


def own_address(given: str | None, host: str, port: int) -> str:
    """The URL where other bridges reach this one.

    Raises:
        AddressError: nobody can tell.
    """
    if given is not None:
        if not is_address(given.rstrip("/")):
            raise AddressError(
                f"--address is a URL such as http://bridge-1:8765, with no path, not {given}."
            )
        return given.rstrip("/")
    if host in _ANYWHERE or port == 0:
        raise AddressError(
            "Say with --address where the other bridges of the store reach this one, such as "
            "http://bridge-1:8765: it cannot be told from --host and --port."
        )
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def host_of(address: str) -> str:
    """What the Host header of a request to that URL holds."""
    return urlsplit(address).netloc.lower()


@asynccontextmanager
async def estate_at(
    place: Place, settings: Settings, token: str
) -> AsyncIterator[tuple[Estate, Forwarder | None]]:
    """An estate, begun, and what leads to the other bridges of a shared store."""
    if isinstance(place.database, str):
        database = postgres(place.database)
        await database.open()
        try:
            async with _shared(database, place, settings, token) as (shared, forwarder):
                yield shared, forwarder
        finally:
            await database.close()
        return
    sole = SoleEstate(Engine(SqliteStore(place.database), settings, SystemClock()))
    await sole.start()
    try:
        yield sole, None
    finally:
        await sole.stop()


@asynccontextmanager
async def _shared(
    database: SharedDatabase, place: Place, settings: Settings, token: str
) -> AsyncIterator[tuple[SharedEstate, Forwarder]]:
    if not await database.agree_on_token(hashlib.sha256(token.encode()).digest()):
        raise TokenError(
            "The bridges that run on this store have another token. All of them need the same: "
            "copy the token file of one, or stop all of them to begin with a new one."
        )
    name = BridgeName(f"{socket.gethostname()} {secrets.token_hex(8)}", place.address)
    peers = BridgePeers(token, name.owner)
    estate = SharedEstate(
        database,
        settings,
        SystemClock(),
        name=name,
        lease_seconds=place.lease_seconds,
        peers=peers,
    )
    try:
        await estate.start()
        yield estate, Forwarder(peers, estate.ownership.doubt)
    finally:
        await estate.stop()
        await peers.close()
