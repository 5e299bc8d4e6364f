"""Durable decisions in process, beside APScheduler 3 on SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from bench.places import peer_python, work_folder
from bench.processes import contestant, figures_of
from bench.row import Comparison, Row, at_least

if TYPE_CHECKING:
    from pathlib import Path

    from bench.rounds import Rounds

_JOBS = 300


def _measure(rounds: Rounds) -> list[Comparison]:
    seconds = rounds.seconds
    third: list[str | Path] = [peer_python("apscheduler-3"), "-m", "bench.peers.aps3_decisions"]
    with work_folder() as folder:

        def fresh() -> str:
            return str(folder / f"{uuid4().hex}.db")

        taken = rounds.alternate(
            {
                "ours": lambda: figures_of(
                    contestant("engine_decisions", fresh(), seconds, "skip")
                ),
                "theirs": lambda: figures_of([*third, str(seconds), str(_JOBS), fresh()]),
            }
        )
    ours, theirs = taken["ours"]["per second"], taken["theirs"]["per second"]
    what, against = "fire → skip, 64 under way", "APScheduler 3 on SQLite, WAL"
    return [Comparison(what, against, ours, theirs, "a second", at_least(3))]


ROW = Row(
    "durable",
    "durable decisions a second, in process",
    "Both with `synchronous=FULL`. Ours keeps each decision with its reason, in the commit of "
    "whatever was asked meanwhile; APScheduler 3, driven by hand, keeps the next time of the job.",
    _measure,
    needs_peers=True,
)
