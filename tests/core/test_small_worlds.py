"""Every sequence of commands in small worlds, as deep as SEARCH_SECONDS lets it go.

For every pair of policies, limit 1 and 2, one workflow and two: in every situation that can be
reached, what must always hold does (`watch`), and where the model knows all the commands the core
prints what the model prints.
"""

from __future__ import annotations

import math
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from schedule_bridge.core.workspace import Workspace

from .scenarios import POLICIES
from .small_search import OutOfTime, Search, futures
from .small_worlds import ALPHABETS, small_worlds

if TYPE_CHECKING:
    from .small_search import Path
    from .small_worlds import SmallWorld

SECONDS = float(os.environ.get("SEARCH_SECONDS", "20"))
FOR_EVER = math.inf


@dataclass
class Tour:
    """The small worlds of one alphabet, all gone through to the same depth."""

    alphabet: str
    searches: list[Search]
    depth: int = 0

    def deepen(self) -> None:
        for search in self.searches:
            search.deepen()
        self.depth += 1

    @property
    def goes_on(self) -> bool:
        return any(search.frontier for search in self.searches)

    @property
    def commands(self) -> int:
        return sum(search.commands for search in self.searches)

    def __str__(self) -> str:
        states = sum(len(search.seen) for search in self.searches)
        return (
            f"small worlds, {self.alphabet}: depth {self.depth} in all {len(self.searches)}, "
            f"{states} states, {self.commands} commands"
        )


def test_every_sequence_of_commands_keeps_to_the_rules(
    capsys: pytest.CaptureFixture[str],
) -> None:
    until = time.monotonic() + SECONDS
    tours = [
        Tour(alphabet, [Search(world, until) for world in small_worlds(alphabet)])
        for alphabet in ALPHABETS
    ]
    with suppress(OutOfTime):
        while unfinished := [tour for tour in tours if tour.goes_on]:
            min(unfinished, key=lambda tour: (tour.depth, tour.commands)).deepen()
    with capsys.disabled():
        sys.stdout.write("".join(f"\n{tour}" for tour in tours) + "\n")
    assert all(tour.depth for tour in tours)


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_what_counts_as_one_situation_has_one_future(alphabet: str) -> None:
    """Else the search would take a new situation for one that it has seen."""
    for world in small_worlds(alphabet)[: len(POLICIES) ** 2]:

        def same_future(first: Path, other: Path, world: SmallWorld = world) -> None:
            assert futures(world, first) == futures(world, other)

        search = Search(world, FOR_EVER, returned=same_future)
        search.deepen()
        search.deepen()


def test_a_fault_is_told_with_the_shortest_sequence_that_shows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Workspace, "has_room", lambda _: True)
    search = Search(small_worlds("starts and ends")[0], FOR_EVER)
    search.deepen()
    with pytest.raises(AssertionError) as found:
        search.deepen()
    _, *steps = found.value.__notes__[0].splitlines()
    assert steps == [
        '{"do": "fire", "triggerId": "t", "lockKey": "k"}',
        '{"do": "fire", "triggerId": "u", "lockKey": ""}',
    ]
