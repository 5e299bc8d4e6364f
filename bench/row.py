"""What is measured, against what, and what a round of it brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.rounds import Rounds

Figures: TypeAlias = dict[str, float]
"""What one contestant's round brings, by name."""


@dataclass(slots=True, frozen=True)
class Bound:
    """What the ratio of ours to theirs has to be."""

    limit: float
    at_least: bool

    def is_met_by(self, ratio: float) -> bool:
        """Whether a ratio is within the bound."""
        return ratio >= self.limit if self.at_least else ratio <= self.limit

    def share(self, ratio: float, recorded: float) -> float:
        """How good a ratio is beside a recorded one: 1 is as good, less is worse."""
        return ratio / recorded if self.at_least else recorded / ratio

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {self.limit:g}"


def at_least(limit: float) -> Bound:
    """More is better."""
    return Bound(limit, at_least=True)


def at_most(limit: float) -> Bound:
    """Less is better."""
    return Bound(limit, at_least=False)


@dataclass(slots=True, frozen=True)
class Comparison:
    """Two figures of one run, medians over its rounds, in one unit."""

    what: str
    against: str
    ours: float
    theirs: float
    unit: str
    bound: Bound

    @property
    def ratio(self) -> float:
        """Ours in theirs."""
        return self.ours / self.theirs

    @property
    def is_met(self) -> bool:
        """Whether the target is met."""
        return self.bound.is_met_by(self.ratio)


@dataclass(slots=True, frozen=True)
class Row:
    """One row of the table; `how` is a sentence or two on what is done, for the page.

    `needs_peers` says that other people's schedulers have to be installed for it.
    """

    name: str
    what: str
    how: str
    measure: Callable[[Rounds], list[Comparison]]
    needs_peers: bool = False
    in_short_form: bool = False
