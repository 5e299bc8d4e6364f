"""The core alone, beside APScheduler in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.places import peer_python
from bench.processes import contestant, figures_of
from bench.row import Comparison, Row, at_least

if TYPE_CHECKING:
    from pathlib import Path

    from bench.rounds import Rounds

_TRIGGERS = 1_000
_SCHEDULES = 2_000


def _measure(rounds: Rounds) -> list[Comparison]:
    seconds = rounds.seconds
    third: list[str | Path] = [peer_python("apscheduler-3"), "-m", "bench.peers.aps3_decisions"]
    fourth: list[str | Path] = [peer_python("apscheduler-4"), "-m", "bench.peers.aps4_decisions"]
    taken = rounds.alternate(
        {
            "ours": lambda: figures_of(contestant("core_decisions", seconds, _TRIGGERS)),
            "third": lambda: figures_of([*third, str(seconds), str(_TRIGGERS)]),
            "fourth": lambda: figures_of([*fourth, str(_SCHEDULES)]),
        }
    )
    ours = taken["ours"]["per second"]
    return [
        Comparison(what, against, ours, taken[name]["per second"], "a second", at_least(limit))
        for what, against, name, limit in (
            ("tick → skip → next tick armed", "APScheduler 3, `max_instances`", "third", 3),
            ("the same", "APScheduler 4, `max_running_jobs`", "fourth", 15),
        )
    ]


ROW = Row(
    "core",
    "the core alone, decisions a second",
    "1,000 triggers, each with a run that goes on, come from the heap, are led through the gates "
    "and armed again for the next second. APScheduler 3 does the same, driven by hand without "
    "its thread; version 4 skips nothing, so its schedules are let through to a run that does "
    "nothing.",
    _measure,
    needs_peers=True,
)
