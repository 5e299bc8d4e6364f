"""What one armed trigger takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.places import PEERS, peer_python, work_folder
from bench.processes import contestant, figures_of
from bench.row import Comparison, Row, at_most
from bench.stores import Content, copy_of

if TYPE_CHECKING:
    from pathlib import Path

    from bench.rounds import Rounds

_TRIGGERS = 10_000
_JOBS = "10000"


def _measure(rounds: Rounds) -> list[Comparison]:
    third: list[str | Path] = [peer_python("apscheduler-3"), "-m", "bench.peers.aps3_memory", _JOBS]
    croner: list[str | Path] = ["node", "--expose-gc", PEERS / "croner-memory.mjs", _JOBS]
    with work_folder() as folder:
        file = copy_of(Content(triggers=_TRIGGERS, crons=True), folder)
        taken = rounds.at_most(1).alternate(  # it is counted, not timed
            {
                "ours": lambda: figures_of(contestant("memory", file)),
                "third": lambda: figures_of(third),
                "croner": lambda: figures_of(croner),
            }
        )
    ours = taken["ours"]["bytes"]
    what = "one armed trigger"
    return [
        Comparison(what, "APScheduler 3", ours, taken["third"]["bytes"], "bytes", at_most(3)),
        Comparison(what, "croner", ours, taken["croner"]["bytes"], "bytes", at_most(1)),
    ]


ROW = Row(
    "memory",
    "memory for one armed trigger",
    "All that the engine keeps of a trigger as a node declares it, schedules of all kinds, counted "
    "by tracemalloc over 10,000 after each was asked for what it declares; APScheduler 3 likewise, "
    "with an interval; croner by V8's heap.",
    _measure,
    needs_peers=True,
)
