"""The sizing part of the page: what follows from the figures for a large house."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.bridges.prose import item, paragraph
from bench.bridges.sizing import (
    BUSY,
    KEPT_DAYS,
    REQUESTS_OF_A_RUN,
    STREAMS_OF_A_BRIDGE,
    Costs,
    House,
    Machine,
    most_kept,
    most_logged,
    most_ticks,
    need,
)
from schedule_bridge.store.postgres.pools import CONNECTIONS as DATABASE_CONNECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.bridges.record import Recorded
    from bench.bridges.sizing import Need

LARGE = [House(10_000, 1_000_000, seconds) for seconds in (86_400, 3_600, 600, 60)]
_NAMES = {86_400: "day", 3_600: "hour", 600: "10 minutes", 60: "minute"}
_LARGEST_DATABASE = 64
_LEFT_OUT = """Not in these figures: the network between bridges and database, which a decision
waits for once; ticks that all come at the full minute; payloads, which are kept while a run is
active; requests that reach another bridge than the one that decides, which cost both of them; what
a run costs over a stream, whose frames were measured as requests over HTTP here."""


def sizes(recorded: Recorded) -> Iterator[str]:
    """Ten thousand clients with a million triggers, at several rates."""
    costs = Costs.of(recorded)
    yield "## Ten thousand Node-REDs, a million triggers"
    yield ""
    yield from paragraph(
        """Extrapolated from the figures above, as if nothing got dearer as it grows. Each client
        has a workspace and a stream of its own, and every tick starts a run. Your own numbers:
        `npm run bench:bridges -- --size CLIENTS TRIGGERS SECONDS`."""
    )
    yield from arithmetic(costs)
    yield from table(LARGE, costs)
    yield from _walls(costs)
    yield from paragraph(_LEFT_OUT)


def arithmetic(costs: Costs) -> Iterator[str]:
    """How a figure comes about, with what was measured in it."""
    bridge_client = costs.bridge_stream + costs.bridge_workspace
    memory_client = costs.workspace_bytes + costs.stream_bytes
    for what in (
        f"""requests a second = triggers / seconds between ticks x {REQUESTS_OF_A_RUN}: the tick,
        the claim and the end of a run""",
        f"""cores of bridges = (requests a second x {costs.bridge_request:,.0f} µs + clients x
        {bridge_client:,.1f} µs) / {BUSY:.0%} busy""",
        f"""cores of the database = (requests a second x {costs.database_request:,.0f} µs + clients
        x {costs.database_workspace:,.1f} µs) / {BUSY:.0%} busy""",
        f"""bridges = the cores of bridges, but one for each {STREAMS_OF_A_BRIDGE} clients at least;
        each has {DATABASE_CONNECTIONS} connections to the database""",
        f"""memory of a bridge = {costs.bridge_bytes / 1e6:,.0f} MB + (triggers x
        {costs.trigger_bytes:,.0f} bytes + clients x {memory_client:,.0f} bytes) /
        bridges""",
        f"""commits a second = requests a second x {costs.commits_request:.2f}""",
        f"""WAL a second = requests a second x {costs.wal_request:,.0f} bytes + clients x
        {costs.wal_workspace:,.0f} bytes""",
        f"""disk = runs in {KEPT_DAYS} days x {costs.run_disk_bytes:,.0f} bytes + triggers x
        {costs.trigger_disk_bytes:,.0f} bytes""",
        f"""take-over of what a bridge had = (its clients x {costs.workspace_milliseconds:.1f} ms +
        its triggers x {costs.trigger_milliseconds * 1000:.1f} µs) / the other bridges""",
    ):
        yield from item(what)
    yield ""


def table(houses: list[House], costs: Costs) -> Iterator[str]:
    """What houses take, side by side."""
    needs = [need(house, costs) for house in houses]
    yield "| a tick of each trigger every | " + " | ".join(map(_every, houses)) + " |"
    yield "| --- | " + " | ".join("---:" for _ in houses) + " |"
    yield _row("runs a second", [f"{house.ticks:,.0f}" for house in houses])
    yield _row("requests a second", [f"{each.requests:,.0f}" for each in needs])
    yield _row("commits a second", [f"{each.commits:,.0f}" for each in needs])
    yield _row("cores of bridges", [f"{each.bridge_cores:,.1f}" for each in needs])
    yield _row("bridges", [f"{each.bridges:,}" for each in needs])
    yield _row("memory of a bridge", [f"{each.bridge_megabytes:,.0f} MB" for each in needs])
    yield _row("cores of the database", [f"{each.database_cores:,.1f}" for each in needs])
    yield _row("connections to it", [f"{each.connections:,}" for each in needs])
    yield _row("WAL a second", [f"{each.wal_megabytes:,.1f} MB" for each in needs])
    yield _row(f"disk, {KEPT_DAYS} days", [f"{each.disk_gigabytes:,.0f} GB" for each in needs])
    yield _row(
        "take-over, beside the lease", [f"{each.take_over_seconds:,.2f} s" for each in needs]
    )
    yield _row("breaks first", [_first(each) for each in needs])
    yield ""


def _every(house: House) -> str:
    return _NAMES.get(round(house.every), f"{house.every:g} s")


def _row(what: str, cells: list[str]) -> str:
    return f"| {what} | " + " | ".join(cells) + " |"


def _first(each: Need) -> str:
    what, share = next(iter(each.walls(Machine()).items()))
    return f"{what}, {share:,.1f} times" if share >= 1 else f"nothing; {what}, {share:.0%}"


def _walls(costs: Costs) -> Iterator[str]:
    usual = Machine()
    yield from paragraph(
        f"""**What breaks first** is told against one PostgreSQL with {usual.cores} cores,
        {usual.connections} connections (its own default), {usual.wal_megabytes:g} MB of WAL a
        second and {usual.disk_gigabytes:,} GB of disk. In the order in which a growing house meets
        them:"""
    )
    walls = sorted([*_walls_of_ticks(costs, usual), (0.0, _wall_of_clients(costs))])
    for number, (_, what) in enumerate(walls, 1):
        yield from item(what, f"{number}.")
    yield ""


def _wall_of_clients(costs: Costs) -> str:
    small = need(LARGE[0], costs)
    return f"""Connections, before anything ticks. A bridge lets in {STREAMS_OF_A_BRIDGE} unless
        `--connections` allows more, so {LARGE[0].clients:,} clients want {small.bridges} bridges,
        and these {small.connections} connections to the database: set `max_connections` to that
        and some."""


def _walls_of_ticks(costs: Costs, usual: Machine) -> Iterator[tuple[float, str]]:
    """What is reached at so many runs a second, and what it is."""
    disk, processor = most_kept(costs, usual), most_ticks(costs, usual.cores)
    wal, largest = most_logged(costs, usual), most_ticks(costs, _LARGEST_DATABASE)
    yield (
        disk,
        f"""The history, at {disk:,.0f} runs a second: so many fill the disk in {KEPT_DAYS} days.
        `--history-days` divides it.""",
    )
    yield (
        processor,
        f"""The processor of the database, at {processor:,.0f} runs a second where no two share a
        commit. Fewer and larger workspaces take less, as the last line of each table above
        shows.""",
    )
    yield (wal, f"The WAL, at {wal:,.0f} runs a second.")
    yield (
        largest,
        f"""The next wall is one PostgreSQL as such: {_LARGEST_DATABASE} cores would write
        {largest:,.0f} runs a second, if all else let them. Beyond that workspaces have to be spread
        over several stores, each with bridges of its own: nothing but the address in its
        configuration ties a client to one.""",
    )
