"""What is taken without any request: memory, renewals, pings, a take-over; rows on the disk."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import aiohttp

from bench.asking import ask_each
from bench.bridges.cores import resident_bytes
from bench.bridges.house import bridges, busy
from bench.bridges.throughput import CONNECTIONS, prepare, talks
from bench.places import work_folder
from bench.stores import Content, trigger_records
from databases.wire import wire_to
from schedule_bridge.core.model import TriggerId, WorkspaceId
from schedule_bridge.store import rows

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bench.bridge import Address
    from bench.bridges.cores import Cores
    from bench.bridges.database import Database
    from bench.row import Figures
    from databases.wire import Wire

STREAMS = 400
WORKSPACES = 1_000
FEW, MANY = 1_000, 10_000
_ASKED = 200
_LOOK_SECONDS = 31
"""Two pings of each stream, and a dozen renewals."""
_SETTLES_SECONDS = 1.5
_RUNS_SECONDS = 10
_SIZE = "SELECT pg_total_relation_size($1::regclass)::float8 / greatest(count(*), 1) FROM {0}"


def standing(server: Database, cores: Cores) -> Figures:
    """What triggers and workspaces take, as long as nothing is due."""
    with work_folder() as folder:
        url = server.new()
        with bridges(folder, 1, url, cores) as (bridge,):
            server.pin()
            return {
                **_triggers(server, url, bridge),
                **_workspaces(server, url, bridge),
            }


def streams(server: Database, cores: Cores) -> Figures:
    """What a client takes that is connected and has nothing to do."""
    with work_folder() as folder, bridges(folder, 1, server.new(), cores) as (bridge,):
        return asyncio.run(_streams(bridge))


def round_trips(server: Database, cores: Cores) -> Figures:
    """How often a bridge asks the database and waits, for each request that decides."""
    return asyncio.run(_round_trips(server.new(), cores))


def bytes_of_rows(server: Database, cores: Cores) -> Figures:
    """On the disk, indexes with them, after thousands of runs."""
    with work_folder() as folder:
        url = server.new()
        with bridges(folder, 1, url, cores) as (bridge,):
            prepare(bridge, 0, CONNECTIONS)
            ask_each(talks("run", [bridge]), _RUNS_SECONDS, warm_up=0)
        tables = {"decision": "decisions", "run": "executions"}
        return {
            f"bytes of a {what}": float(server.ask(url, _SIZE.format(table), table))
            for what, table in tables.items()
        }


def _run_with_a_skip(bridge: Address) -> None:
    (decision,) = bridge.call("POST", "/v1/triggers/t/fire", {})["decisions"]
    of_run = f"/v1/executions/{decision['executionId']}"
    bridge.call("POST", f"{of_run}/started")
    bridge.call("POST", "/v1/triggers/t/fire", {})
    bridge.call("POST", f"{of_run}/finished", {"outcome": "completed"})


def _triggers(server: Database, url: str, bridge: Address) -> Figures:
    """The growth by the second workspace of many: what the first one has made room for is left."""
    names = {"none": 0, "few": FEW, "many": MANY, "as-many": MANY}
    for name, count in names.items():
        _declare(server, url, WorkspaceId(name), count)
    server.settle()
    _taken(bridge, "first")  # in each connection a call is prepared before it is made
    took = {name: _taken(bridge, name) for name in ("none", "few", "many")}
    before = _resident(bridge)
    _taken(bridge, "as-many")
    size = float(server.ask(url, _SIZE.format("triggers"), "triggers"))
    return {
        "memory of a trigger": (_resident(bridge) - before) / MANY,
        "take-over ms, no trigger": took["none"],
        f"take-over ms, {FEW:,} triggers": took["few"],
        f"take-over ms, {MANY:,} triggers": took["many"],
        "bytes of a trigger": size,
    }


def _declare(server: Database, url: str, workspace: WorkspaceId, count: int) -> None:
    now = time.time_ns() // 1000
    records = [
        replace(
            each, trigger_id=TriggerId(f"{workspace}.{each.trigger_id}"), workspace_id=workspace
        )
        for each in trigger_records(Content(triggers=count, crons=True), now)
    ]
    server.fill(url, "triggers", [rows.trigger_row(each) for each in records])


def _taken(bridge: Address, workspace: str) -> float:
    began = time.perf_counter()
    bridge.call("GET", f"/v1/workspaces/{workspace}")
    return (time.perf_counter() - began) * 1000


def _resident(bridge: Address) -> int:
    time.sleep(_SETTLES_SECONDS)
    return resident_bytes(bridge.pid)


def _workspaces(server: Database, url: str, bridge: Address) -> Figures:
    """A trigger in each, since empty ones are given up."""
    names = [f"small{number}" for number in range(WORKSPACES)]
    now = time.time_ns() // 1000
    (one,) = trigger_records(Content(triggers=1), now)
    small = [
        replace(one, trigger_id=TriggerId(f"{name}.t"), workspace_id=WorkspaceId(name))
        for name in names
    ]
    server.fill(url, "triggers", [rows.trigger_row(each) for each in small])
    idle = _spent(server, bridge)
    before = _resident(bridge)
    took = sum(_taken(bridge, name) for name in names)
    after = _resident(bridge)
    held = _spent(server, bridge)
    seconds = _LOOK_SECONDS * WORKSPACES
    return {
        "memory of a workspace": (after - before) / WORKSPACES,
        "take-over ms, one of many workspaces": took / WORKSPACES,
        **{f"{what} a workspace second": (held[what] - idle[what]) / seconds for what in idle},
    }


def _spent(server: Database, bridge: Address) -> Figures:
    server.settle()
    before = _totals(server, bridge)
    time.sleep(_LOOK_SECONDS)
    after = _totals(server, bridge)
    return {what: after[what] - before[what] for what in after}


def _totals(server: Database, bridge: Address) -> Figures:
    return {
        "bridge µs": busy([bridge]) * 1e6,
        "database µs": server.busy_seconds() * 1e6,
        "WAL bytes": server.wal_bytes(),
    }


async def _streams(bridge: Address) -> Figures:
    before = await asyncio.to_thread(_resident, bridge)
    idle = await _busy_meanwhile(bridge)
    async with _connected(bridge):
        after = await asyncio.to_thread(_resident, bridge)
        pinging = await _busy_meanwhile(bridge)
    return {
        "memory of a bridge": before,
        "memory of a stream": (after - before) / STREAMS,
        "bridge µs a stream second": (pinging - idle) * 1e6 / STREAMS / _LOOK_SECONDS,
    }


async def _busy_meanwhile(bridge: Address) -> float:
    before = busy([bridge])
    await asyncio.sleep(_LOOK_SECONDS)
    return busy([bridge]) - before


@asynccontextmanager
async def _connected(bridge: Address) -> AsyncIterator[None]:
    """Clients that have nothing to do but answer pings."""
    headers = {"Authorization": f"Bearer {bridge.token.decode()}"}
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(headers=headers, connector=connector) as session:
        sockets = [await _connect(session, bridge, number) for number in range(STREAMS)]
        reading = [asyncio.create_task(_listen(socket)) for socket in sockets]
        yield
        for each in reading:
            each.cancel()


async def _listen(socket: aiohttp.ClientWebSocketResponse) -> None:
    async for _ in socket:
        pass


async def _connect(
    session: aiohttp.ClientSession, bridge: Address, number: int
) -> aiohttp.ClientWebSocketResponse:
    url = f"http://127.0.0.1:{bridge.port}/v1/stream?clientId=c{number}&sessionId=s"
    socket = await session.ws_connect(url, protocols=("schedule-bridge.v1.json",))
    await socket.send_str('{"type":"hello","protocol":1,"version":"0"}')
    await socket.send_str('{"type":"here","id":1,"triggers":[],"runs":[]}')
    return socket


async def _round_trips(url: str, cores: Cores) -> Figures:
    async with wire_to(url) as wire:
        asked = await asyncio.to_thread(_asked_over, wire, cores)
    return {"round trips a request": asked}


def _asked_over(wire: Wire, cores: Cores) -> float:
    """After a first time: in each connection a call is prepared before it is made."""
    with work_folder() as folder, bridges(folder, 1, wire.url, cores) as (bridge,):
        bridge.call("PUT", "/v1/triggers/t", {"overlapPolicy": "skip"})
        _run_with_a_skip(bridge)
        before = wire.syncs
        for _ in range(_ASKED):
            _run_with_a_skip(bridge)
        return (wire.syncs - before) / (4 * _ASKED)
