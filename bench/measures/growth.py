"""What a decision costs as everything around it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.places import work_folder
from bench.processes import contestant, figures_of
from bench.row import Comparison, Row, at_most
from bench.stores import Content, copy_of

if TYPE_CHECKING:
    from pathlib import Path

    from bench.rounds import Rounds
    from bench.row import Figures

_GROWING = (
    ("triggers 1,000 → 100,000", Content(triggers=1_000), Content(triggers=100_000)),
    (
        "executions waiting 10 → 10,000",
        Content(triggers=11_000, waiting=10),
        Content(triggers=11_000, waiting=10_000),
    ),
    ("history 0 → 1,000,000 rows", Content(triggers=1_000), Content(history=1_000_000)),
)


def _measure(rounds: Rounds) -> list[Comparison]:
    return [_grown(what, small, large, rounds) for what, small, large in _GROWING]


def _grown(what: str, small: Content, large: Content, rounds: Rounds) -> Comparison:
    with work_folder() as folder:
        few, many = copy_of(small, folder), copy_of(large, folder)
        taken = rounds.at_most(3).alternate(
            {"few": lambda: _cost(few, rounds), "many": lambda: _cost(many, rounds)}
        )
    few_cost, many_cost = taken["few"]["cost"], taken["many"]["cost"]
    return Comparison(what, "itself", many_cost, few_cost, "µs a decision", at_most(2))


def _cost(file: Path, rounds: Rounds) -> Figures:
    return figures_of(contestant("engine_decisions", file, rounds.seconds, "run"))


ROW = Row(
    "growth",
    "cost of a decision as everything grows",
    "Firing, claim and end of runs, 64 under way, in process and durable, after the start on such "
    "a store. Those that wait do so for one lock key, so an end elsewhere moves none of them.",
    _measure,
)
