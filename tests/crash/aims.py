"""Which boundary of which commit is next: every boundary times every trait, the rarest first."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from crash.fault_points import Aim, Boundary
from crash.traits import TRAITS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from crash.history import Kill

_AT_COMMITS = tuple(set(Boundary) - {Boundary.OPENING, Boundary.ANYWHERE})
_LONGEST_DELAY = 2000
_FURTHEST = 4


class Aims:
    """Hands out aims; shared by everybody who runs episodes side by side."""

    def __init__(self) -> None:
        self._tried: Counter[tuple[Boundary, str]] = Counter()
        self._cells = list(product(sorted(_AT_COMMITS), TRAITS))

    def next(self, random: Random) -> Aim | None:
        """What to aim at; None for a random moment."""
        chance = random.random()
        if chance < 0.2:
            return None
        if chance < 0.3:
            cell = (Boundary.OPENING, "")
        else:
            fewest = min(self._tried[cell] for cell in self._cells)
            cell = random.choice([each for each in self._cells if self._tried[each] == fewest])
        self._tried[cell] += 1
        return Aim(
            *cell,
            skip=random.randrange(_FURTHEST),
            draw=random.randrange(10_000),
            delay=random.randrange(_LONGEST_DELAY),
        )


def cells_hit(kills: Iterable[Kill]) -> set[tuple[str, str]]:
    """Which boundaries were hit with which traits in the commit."""
    return {(kill.boundary, trait) for kill in kills for trait in kill.traits}


CELLS = len(_AT_COMMITS) * len(TRAITS)
"""How many there are."""
