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
_MEASURABLE = {
    "wake-ups": (1.0, "wake-ups a second more than an idle Node-RED"),
    "processor": (1.0, "ms a second more than an idle Node-RED"),
}
"""A thousandth of a processor is the least that tools for it show."""


def _measure(rounds: Rounds) -> list[Comparison]:
    KEPT.mkdir(exist_ok=True)
    command: list[str | Path] = ["node", _SCRIPT, _SECONDS, _TRIGGERS]
    taken = rounds.at_most(1).alternate({"all": lambda: figures_of(command)})["all"]
    return [
        Comparison(
            f"{who}, {name}",
            "what can be measured",
            max(taken[f"{key} {name}"] - taken[f"idle {name}"], 0),
            least,
            unit,
            at_most(1),
        )
        for name, (least, unit) in _MEASURABLE.items()
        for key, who in (("nodes", "Node-RED with the nodes"), ("bridge", "the bridge"))
    ]


ROW = Row(
    "idle",
    "idle with 1,000 triggers and nothing due",
    "The bridge, a Node-RED 4.1 with the triggers and one without our nodes, all three over the "
    "same 60 s, a minute after their start: voluntary context switches and processor time of all "
    "their threads. What counts as a difference: a wake-up a second, a thousandth of a processor.",
    _measure,
)
