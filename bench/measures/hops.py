"""What the tracking of runs costs a message at each node."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bench.places import ROOT
from bench.processes import figures_of
from bench.row import Comparison, Row, at_most

if TYPE_CHECKING:
    from bench.rounds import Rounds

_LIMITS = {"without a run": 1.0, "of a run": 5.0}
"""Microseconds that a hop may cost more than without hooks."""
_SCRIPT = ROOT / "bench" / "contestants" / "hops.mjs"


def _measure(rounds: Rounds) -> list[Comparison]:
    taken = rounds.at_most(1).alternate(  # it takes many rounds itself
        {version: partial(figures_of, ["node", _SCRIPT, version]) for version in ("4", "5")}
    )
    return [
        Comparison(
            f"a message {kind}, Node-RED {version}",
            f"a budget of {limit:g} µs",
            taken[version][kind],
            limit,
            "µs more a hop",
            at_most(1),
        )
        for version in taken
        for kind, limit in _LIMITS.items()
    ]


ROW = Row(
    "hops",
    "tracking of runs, cost of a message's hop",
    "A flow of ten nodes in a real Node-RED, with our hooks and without, and with messages of runs "
    "going through the same nodes, taking turns; processor time of a quick round of many.",
    _measure,
)
