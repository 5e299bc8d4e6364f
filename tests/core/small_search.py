"""Breadth first through a small world: every sequence of commands, each situation once."""

from __future__ import annotations

import json
import pickle
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from .situation import situation
from .small_house import SmallHouse, SmallModel, differences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .situation import Situation
    from .small_worlds import SmallWorld, Step

Path: TypeAlias = "tuple[Step, ...]"


class OutOfTime(Exception):  # noqa: N818 - nothing is wrong
    """The time was used up in the middle of a depth."""


def _not_asked(_first: Path, _other: Path) -> None:
    """Nobody wants to know."""


@dataclass
class Search:
    """How far one small world has been gone through, until a moment of the monotonic clock.

    `seen` has the first path to each situation, by the hash of it; `frontier` are those that the
    last depth added. `returned` is told the first and the present path to a situation seen before.
    """

    small_world: SmallWorld
    until: float
    returned: Callable[[Path, Path], None] = _not_asked
    seen: dict[int, Path] = field(default_factory=dict)
    frontier: list[Path] = field(default_factory=list)
    commands: int = 0

    def __post_init__(self) -> None:
        self._arrive((), hash(Pair.after(self.small_world, ()).situation()))
        self.frontier = [()]

    def deepen(self) -> None:
        """Tries every command in every situation of the frontier."""
        self.frontier = [path for start in self.frontier for path in self._new_after(start)]

    def _new_after(self, start: Path) -> Iterator[Path]:
        if time.monotonic() > self.until:
            raise OutOfTime
        here = Pair.after(self.small_world, start)
        moment = pickle.dumps(here)
        for step in list(self.small_world.steps(here.house.world)):
            path = (*start, step)
            self.commands += 1
            if self._arrive(path, hash(self._try(pickle.loads(moment), path))):  # noqa: S301 - ours
                yield path

    def _try(self, pair: Pair, path: Path) -> Situation:
        try:
            pair.play_and_look(path[-1])
        except AssertionError as error:
            steps = "\n".join(json.dumps(step) for step in path)
            error.add_note(f"After these steps in {self.small_world}:\n{steps}")
            raise
        return pair.situation()

    def _arrive(self, path: Path, known: int) -> bool:
        first = self.seen.setdefault(known, path)
        if first is not path:
            self.returned(first, path)
        return first is path


@dataclass
class Pair:
    """The core and, where it knows all the commands, the model, after the same steps."""

    house: SmallHouse
    model: SmallModel | None

    @classmethod
    def after(cls, small_world: SmallWorld, path: Path) -> Pair:
        """After a path that has been looked at before, and with what it printed forgotten."""
        knows_all = small_world.alphabet.claims_at_once
        pair = cls(SmallHouse(small_world), SmallModel(small_world) if knows_all else None)
        for step in path:
            pair._play(step)
        pair.house.printed.clear()
        if pair.model:
            pair.model.printed.clear()
        return pair

    def situation(self) -> Situation:
        """How the core stands."""
        return situation(self.house.world, self.house.now)

    def play_and_look(self, step: Step) -> None:
        """Raises AssertionError if the step leads to what must not be."""
        self.house.watch.looking = True
        self._play(step)
        if self.model:
            found = differences(self.house, self.model)
            assert not found, found

    def _play(self, step: Step) -> None:
        self.house.do(step)
        if self.model:
            self.model.play_step(step)


def futures(small_world: SmallWorld, path: Path) -> list[tuple[str, list[str], Situation]]:
    """For each command after a path: what it prints, without the names, and leads to."""
    found = []
    for step in list(small_world.steps(Pair.after(small_world, path).house.world)):
        pair = Pair.after(small_world, path)
        pair.play_and_look(step)
        printed = [line["event"] for line in pair.house.printed]
        found.append((step["do"], printed, pair.situation()))
    return found
