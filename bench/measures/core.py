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
_THIRD, _FOURTH = "APScheduler 3, `max_instances`", "APScheduler 4, `max_running_jobs`"
_COMPARED = (
    ("tick → skip → next tick armed", f"{_THIRD}, silenced", "ours", "third", 3),
    ("the same, and why in words", f"{_THIRD}, its warnings", "ours in words", "third in words", 3),
    ("tick → skip → next tick armed", _FOURTH, "ours", "fourth", 15),
)


def _measure(rounds: Rounds) -> list[Comparison]:
    seconds = rounds.seconds
    third: list[str | Path] = [peer_python("apscheduler-3"), "-m", "bench.peers.aps3_decisions"]
    fourth: list[str | Path] = [peer_python("apscheduler-4"), "-m", "bench.peers.aps4_decisions"]
    ours = contestant("core_decisions", seconds, _TRIGGERS)
    third += [str(seconds), str(_TRIGGERS)]
    taken = rounds.alternate(
        {
            "ours": lambda: figures_of(ours),
            "third": lambda: figures_of(third, {"SILENT": "1"}),
            "ours in words": lambda: figures_of([*ours, "words"]),
            "third in words": lambda: figures_of(third),
            "fourth": lambda: figures_of([*fourth, str(_SCHEDULES)]),
        }
    )
    return [
        Comparison(
            what,
            against,
            taken[of_ours]["per second"],
            taken[theirs]["per second"],
            "a second",
            at_least(limit),
        )
        for what, against, of_ours, theirs, limit in _COMPARED
    ]


ROW = Row(
    "core",
    "the core alone, decisions a second",
    "1,000 triggers, each with a run that goes on, come from the heap, are led through the gates "
    "and armed again for the next second. APScheduler 3 does the same, driven by hand without its "
    "thread; by default it writes a warning for each skip. Version 4 skips nothing, so its "
    "schedules are let through to a run that does nothing.",
    _measure,
    needs_peers=True,
)
