"""How many requests a second are decided as bridges grow, and what each of them takes."""

from __future__ import annotations

import re
import urllib.request
from dataclasses import dataclass
from functools import partial
from statistics import quantiles
from typing import TYPE_CHECKING

from bench import requests
from bench.asking import ask_each
from bench.bridges.house import bridges, busy
from bench.places import work_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.asking import Asked
    from bench.bridge import Address
    from bench.bridges.cores import Cores
    from bench.bridges.database import Database
    from bench.rounds import Rounds
    from bench.row import Figures

_WARM_UP_SECONDS = 0.5
_COMMITS = re.compile(rb"^schedule_bridge_commit_seconds_count (\S+)", re.MULTILINE)
CONNECTIONS = 48


@dataclass(slots=True, frozen=True)
class House:
    """So many bridges, and workspaces that share the connections among them evenly."""

    bridges: int
    workspaces: int
    on_postgresql: bool = True

    @property
    def name(self) -> str:
        store = "PostgreSQL" if self.on_postgresql else "SQLite"
        return f"{self.bridges} on {store}, {self.workspaces} workspaces"


SPREAD = [House(count, CONNECTIONS) for count in (1, 2, 3)]
"""One connection a workspace: hardly a commit holds more than one decision."""
CROWDED = House(1, 1)
"""All connections in one workspace, whose commits hold what came together."""
ALONE = [House(1, CONNECTIONS, on_postgresql=False), House(1, 1, on_postgresql=False)]
HOUSES = [*ALONE, *SPREAD, CROWDED]
TALKS = {"skip": "fire → skip", "run": "fire → claim → finished"}


def throughput(server: Database, cores: Cores, rounds: Rounds) -> dict[str, Figures]:
    """The medians of each house, by its name."""
    return rounds.alternate(
        {each.name: partial(_one_round, each, server, cores, rounds.seconds) for each in HOUSES}
    )


def _one_round(house: House, server: Database, cores: Cores, seconds: float) -> Figures:
    with work_folder() as folder:
        store = server.new() if house.on_postgresql else str(folder / "bridge.db")
        with bridges(folder, house.bridges, store, cores) as running:
            places = [running[number % house.bridges] for number in range(house.workspaces)]
            for number, place in enumerate(places):
                prepare(place, number, CONNECTIONS // house.workspaces)
            server.pin()
            meter = partial(_meter, running, server)
            figures: Figures = {}
            for talk in TALKS:
                server.settle()
                asked = ask_each(talks(talk, places), seconds, _WARM_UP_SECONDS, meter)
                figures |= {f"{talk} {what}": it for what, it in _figures(asked).items()}
            return figures


def prepare(place: Address, workspace: int, connections: int) -> None:
    """A trigger whose run goes on, so that it skips, and one a connection that starts runs."""
    body = {"workspaceId": f"w{workspace}", "overlapPolicy": "skip"}
    place.call("PUT", f"/v1/triggers/{_busy(workspace)}", body)
    for number in range(connections):
        allowing = {**body, "overlapPolicy": "allow", "maxConcurrent": 99}
        place.call("PUT", f"/v1/triggers/{_idle(workspace, number)}", allowing)
    (decision,) = place.call("POST", f"/v1/triggers/{_busy(workspace)}/fire", {})["decisions"]
    place.call("POST", f"/v1/executions/{decision['executionId']}/started")


def _busy(workspace: int) -> str:
    return f"busy{workspace:02}"


def _idle(workspace: int, number: int) -> str:
    return f"idle{workspace:02}.{number:02}"


def talks(talk: str, places: list[Address]) -> list[tuple[int, Callable[[bytes], bytes]]]:
    """One a connection, each with the bridge that its workspace belongs to."""
    each_has = CONNECTIONS // len(places)
    return [
        (
            place.port,
            requests.firing(place, _busy(workspace))
            if talk == "skip"
            else requests.running(place, _idle(workspace, number)),
        )
        for workspace, place in enumerate(places)
        for number in range(each_has)
    ]


def _meter(running: list[Address], server: Database) -> Figures:
    return {
        "bridge seconds": busy(running),
        "database seconds": server.busy_seconds(),
        "WAL bytes": server.wal_bytes(),
        "commits": sum(map(_commits, running)),
    }


def _commits(bridge: Address) -> float:
    headers = {"Authorization": f"Bearer {bridge.token.decode()}"}
    asked = urllib.request.Request(f"http://127.0.0.1:{bridge.port}/metrics", headers=headers)
    with urllib.request.urlopen(asked) as answered:  # noqa: S310 - see above
        found = _COMMITS.search(answered.read())
    return float(found[1]) if found else 0.0


def _figures(asked: Asked) -> Figures:
    hundredths = quantiles(asked.seconds, n=100)
    return {
        "per second": asked.per_second,
        "median ms": hundredths[49] * 1000,
        "99th ms": hundredths[98] * 1000,
        "commits": asked.spent["commits"],
        "bridge µs": asked.spent["bridge seconds"] * 1e6,
        "database µs": asked.spent["database seconds"] * 1e6,
        "WAL bytes": asked.spent["WAL bytes"],
    }
