"""What is done while nothing is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.places import KEPT, ROOT
from bench.processes import figures_of
from bench.row import Comparison, Row, at_most

if TYPE_CHECKING:
    from pathlib import Path

    from bench.rounds import Rounds

_SECONDS, _TRIGGERS = "60", "1000"
_SCRIPT = ROOT / "bench" / "contestants" / "idle.mjs"
_UNITS = {"wake-ups": "wake-ups a second", "processor": "ms a second"}


def _measure(rounds: Rounds) -> list[Comparison]:
    KEPT.mkdir(exist_ok=True)
    command: list[str | Path] = ["node", _SCRIPT, _SECONDS, _TRIGGERS]
    taken = rounds.at_most(1).alternate({"all": lambda: figures_of(command)})["all"]
    return [
        Comparison(f"{who}, {name}", "an idle Node-RED", ours, taken[f"idle {name}"], unit, bound)
        for name, unit in _UNITS.items()
        for who, ours, bound in (
            ("Node-RED with the nodes", taken[f"nodes {name}"], at_most(1.1)),
            ("the bridge", taken[f"bridge {name}"], at_most(1)),
        )
    ]


ROW = Row(
    "idle",
    "idle with 1,000 triggers and nothing due",
    "The bridge, a Node-RED 4.1 with the triggers and one without our nodes, all three over the "
    "same 60 s, a minute after their start, as Node.js tidies its memory until then: voluntary "
    "context switches and processor time of all their threads.",
    _measure,
)
