"""Many triggers due in the same second: how late the last ones are."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from bench.places import PEERS, peer_python, work_folder
from bench.processes import contestant, figures_of
from bench.row import Bound, Comparison, Row, at_most

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bench.rounds import Rounds
    from bench.row import Figures

_TRIGGERS = "10000"
_APSCHEDULER, _CRONER, _NODE_CRON = "APScheduler 3 on SQLite, WAL", "croner", "node-cron"
_BOUNDS = {_APSCHEDULER: at_most(0.2), _CRONER: at_most(1), _NODE_CRON: at_most(1)}


def _measure(rounds: Rounds) -> list[Comparison]:
    rounds = rounds.at_most(3)
    with work_folder() as folder:
        at_once = rounds.alternate(_contestants(folder, "0"))
        spread = rounds.alternate(_contestants(folder, "1"))
    return [
        *_compared("at one instant", at_once),
        *_compared("spread over the second", spread),
    ]


def _contestants(folder: Path, spread: str) -> dict[str, Callable[[], Figures]]:
    third: list[str | Path] = [
        peer_python("apscheduler-3"),
        "-m",
        "bench.peers.aps3_lag",
        _TRIGGERS,
        spread,
    ]

    def fresh() -> str:
        return str(folder / f"{uuid4().hex}.db")

    contestants: dict[str, Callable[[], Figures]] = {
        "ours": lambda: figures_of(contestant("lag", _TRIGGERS, spread, fresh())),
        _APSCHEDULER: lambda: figures_of([*third, fresh()]),
        _CRONER: lambda: figures_of(["node", PEERS / "croner-lag.mjs", _TRIGGERS, spread]),
    }
    if spread == "0":  # its jobs are due at whole seconds
        node_cron: list[str | Path] = ["node", PEERS / "node-cron-lag.mjs", _TRIGGERS, spread]
        contestants[_NODE_CRON] = lambda: figures_of(node_cron)
    return contestants


def _compared(how: str, taken: dict[str, Figures]) -> list[Comparison]:
    ours = taken["ours"]["p99"]
    bounds: list[tuple[str, Bound]] = [(name, _BOUNDS[name]) for name in taken if name != "ours"]
    return [
        Comparison(f"10,000 due {how}, p99", name, ours, taken[name]["p99"], "ms late", bound)
        for name, bound in bounds
    ]


ROW = Row(
    "due",
    "10,000 triggers due in the same second, durable, lag from due to offered",
    "Ours: until the start is handed to its client's connection, after the commit that holds it. "
    "The others: until the job's function runs, in memory for croner and node-cron. node-cron "
    "knows whole seconds only. Three rounds.",
    _measure,
    needs_peers=True,
)
