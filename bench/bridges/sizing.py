"""How large a house of bridges has to be, by what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from bench.bridges.standing import FEW, MANY
from bench.bridges.throughput import SPREAD
from schedule_bridge.api.limits import Limits
from schedule_bridge.core.model import DAY, SECOND
from schedule_bridge.engine import Settings
from schedule_bridge.store.postgres.pools import CONNECTIONS as DATABASE_CONNECTIONS

if TYPE_CHECKING:
    from bench.bridges.record import Recorded

REQUESTS_OF_A_RUN = 3
"""The tick's decision, the claim and the end: each is a commit, or a part of one."""
BUSY = 0.6
"""How busy a core may be, so that bursts are not waited for."""
STREAMS_OF_A_BRIDGE = Limits().connections
KEPT_SECONDS = Settings().history_kept // SECOND
KEPT_DAYS = Settings().history_kept // DAY


@dataclass(slots=True, frozen=True)
class House:
    """Each client has a workspace and a stream of its own; a trigger ticks every so many seconds.

    Every tick starts a run.
    """

    clients: int
    triggers: int
    every: float

    @property
    def ticks(self) -> float:
        """Ticks a second."""
        return self.triggers / self.every


@dataclass(slots=True, frozen=True)
class Machine:
    """What one PostgreSQL has, as far as it can be had for money, and as it is set up."""

    cores: int = 16
    connections: int = 100
    wal_megabytes: float = 100
    disk_gigabytes: float = 2_000


@dataclass(slots=True, frozen=True)
class Need:
    """What a house takes."""

    requests: float
    bridge_cores: float
    database_cores: float
    commits: float
    wal_megabytes: float
    bridges: int
    bridge_megabytes: float
    connections: int
    disk_gigabytes: float
    take_over_seconds: float

    def walls(self, machine: Machine) -> dict[str, float]:
        """By what it is bounded, and how much of that it takes, the most first."""
        shares = {
            "processor of the database": self.database_cores / machine.cores,
            "connections to the database": self.connections / machine.connections,
            "WAL": self.wal_megabytes / machine.wal_megabytes,
            "disk for the history": self.disk_gigabytes / machine.disk_gigabytes,
        }
        return dict(sorted(shares.items(), key=lambda each: -each[1]))


@dataclass(slots=True, frozen=True)
class Costs:
    """What one thing takes, as it was measured: microseconds, bytes, milliseconds."""

    bridge_request: float
    database_request: float
    commits_request: float
    wal_request: float
    bridge_workspace: float
    database_workspace: float
    wal_workspace: float
    bridge_stream: float
    bridge_bytes: float
    trigger_bytes: float
    workspace_bytes: float
    stream_bytes: float
    run_disk_bytes: float
    trigger_disk_bytes: float
    workspace_milliseconds: float
    trigger_milliseconds: float

    @classmethod
    def of(cls, recorded: Recorded) -> Costs:
        """From the record; a request is one of a run, where hardly two share a commit."""
        run, unit = recorded["throughput"][SPREAD[0].name], recorded["units"]
        many, few = (unit[f"take-over ms, {count:,} triggers"] for count in (MANY, FEW))
        return cls(
            bridge_request=run["run bridge µs"],
            database_request=run["run database µs"],
            commits_request=run["run commits"],
            wal_request=run["run WAL bytes"],
            bridge_workspace=max(unit["bridge µs a workspace second"], 0),
            database_workspace=max(unit["database µs a workspace second"], 0),
            wal_workspace=max(unit["WAL bytes a workspace second"], 0),
            bridge_stream=max(unit["bridge µs a stream second"], 0),
            bridge_bytes=unit["memory of a bridge"],
            trigger_bytes=unit["memory of a trigger"],
            workspace_bytes=unit["memory of a workspace"],
            stream_bytes=unit["memory of a stream"],
            run_disk_bytes=unit["bytes of a decision"] + unit["bytes of a run"],
            trigger_disk_bytes=unit["bytes of a trigger"],
            workspace_milliseconds=unit["take-over ms, one of many workspaces"],
            trigger_milliseconds=max(many - few, 0) / (MANY - FEW),
        )


def need(house: House, costs: Costs, streams_of_a_bridge: int = STREAMS_OF_A_BRIDGE) -> Need:
    """What the house takes, if nothing gets dearer as it grows."""
    requests = house.ticks * REQUESTS_OF_A_RUN
    standing = house.clients * (costs.bridge_workspace + costs.bridge_stream)
    bridge_cores = (requests * costs.bridge_request + standing) / 1e6 / BUSY
    renewing = house.clients * costs.database_workspace
    bridges = max(ceil(bridge_cores), ceil(house.clients / streams_of_a_bridge), 2)
    memory = (
        costs.bridge_bytes
        + (
            house.triggers * costs.trigger_bytes
            + house.clients * (costs.workspace_bytes + costs.stream_bytes)
        )
        / bridges
    )
    kept = house.ticks * KEPT_SECONDS * costs.run_disk_bytes
    return Need(
        requests=requests,
        bridge_cores=bridge_cores,
        database_cores=(requests * costs.database_request + renewing) / 1e6 / BUSY,
        commits=requests * costs.commits_request,
        wal_megabytes=(requests * costs.wal_request + house.clients * costs.wal_workspace) / 1e6,
        bridges=bridges,
        bridge_megabytes=memory / 1e6,
        connections=bridges * DATABASE_CONNECTIONS,
        disk_gigabytes=(kept + house.triggers * costs.trigger_disk_bytes) / 1e9,
        take_over_seconds=_take_over_seconds(house, costs, bridges),
    )


def _take_over_seconds(house: House, costs: Costs, bridges: int) -> float:
    """What one bridge had, read by the others side by side."""
    work = (
        house.clients * costs.workspace_milliseconds + house.triggers * costs.trigger_milliseconds
    )
    return work / bridges / (bridges - 1) / 1000


def most_ticks(costs: Costs, cores: int) -> float:
    """How many ticks a second a database of so many cores writes, if nothing else is in the way."""
    return cores * BUSY * 1e6 / (costs.database_request * REQUESTS_OF_A_RUN)


def most_kept(costs: Costs, machine: Machine) -> float:
    """How many runs a second fill the disk within the time that history is kept."""
    return machine.disk_gigabytes * 1e9 / KEPT_SECONDS / costs.run_disk_bytes


def most_logged(costs: Costs, machine: Machine) -> float:
    """How many runs a second the WAL takes in."""
    return machine.wal_megabytes * 1e6 / costs.wal_request / REQUESTS_OF_A_RUN
