"""Rounds in which the contestants take turns, so that all of them meet the same weather."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bench.row import Figures


@dataclass(slots=True, frozen=True)
class Rounds:
    """How often and how long is measured; `seconds` is what one contestant gets in a round."""

    count: int = 5
    seconds: float = 2.0

    def at_most(self, count: int) -> Rounds:
        """The same, for what takes long."""
        return Rounds(min(self.count, count), self.seconds)

    def alternate(self, contestants: Mapping[str, Callable[[], Figures]]) -> dict[str, Figures]:
        """Lets each of them run once a round; the medians of its figures, by its name.

        Who was first in a round is last in the next one.
        """
        taken: dict[str, list[Figures]] = {name: [] for name in contestants}
        order = list(contestants)
        for _ in range(self.count):
            for name in order:
                taken[name].append(contestants[name]())
            order.reverse()
        return {name: medians(rounds) for name, rounds in taken.items()}


def medians(rounds: Sequence[Figures]) -> Figures:
    """The median of each figure."""
    return {name: median(each[name] for each in rounds) for name in rounds[0]}
