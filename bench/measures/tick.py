"""From a tick to the first node of the flow."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from bench.bridge import plain_server
from bench.places import ROOT, work_folder
from bench.processes import contestant, figures_of
from bench.row import Comparison, Row, at_most

if TYPE_CHECKING:
    from pathlib import Path

    from bench.rounds import Rounds
    from bench.row import Figures

_TICKS = 16
_SCRIPT = ROOT / "bench" / "contestants" / "tick.mjs"


def _measure(rounds: Rounds) -> list[Comparison]:
    with work_folder() as folder, plain_server("ws_echo", folder) as echo:

        def commits() -> Figures:
            file: Path = folder / f"{uuid4().hex}.db"
            return figures_of(contestant("single_commits", file, _TICKS))

        taken = rounds.at_most(3).alternate(
            {
                "ticks": lambda: figures_of(["node", _SCRIPT, str(_TICKS), str(echo.port)]),
                "commits": commits,
            }
        )
    ticks, commit = taken["ticks"], taken["commits"]["commit"]
    theirs = ticks["inject"] + 2 * commit + ticks["roundTrip"]
    against = (
        f"core Inject ({ticks['inject']:,.0f} µs) + two single commits ({commit:,.0f} µs each) + "
        f"one WebSocket round trip ({ticks['roundTrip']:,.0f} µs)"
    )
    return [Comparison("median", against, ticks["trigger"], theirs, "µs", at_most(2))]


ROW = Row(
    "tick",
    "tick → first node of the flow receives the message",
    "A core Inject node and a schedule-trigger side by side in one Node-RED 4.1, once a second, "
    "half a second apart, by one clock, from the instant when each was due. The commits and the "
    "round trips are made once a second, too: a machine that has gone to rest takes longer for "
    "each.",
    _measure,
)
