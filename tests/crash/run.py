"""Kills a bridge again and again, and judges what its clients saw against what it says.

`npm run crash:long -- [--kills N] [--seed SEED] [--seconds S] [--database postgresql] [--record]`.
Exit code 1 if anything was lost, doubled, leaked or wrong; what was found is kept in `.run/crash`.
On PostgreSQL every kill comes from outside, at any moment.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import signal
import sys
import tempfile
import time
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from crash.aims import Aims
from crash.episode import Episode
from crash.figures import AIMED_AT, figures_of
from crash.keeping import InDatabase, InFile
from crash.one_bridge import OneBridge
from crash.playing import play_and_judge, say, show
from reliability import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crash.checks.violation import Violation
    from crash.keeping import Keeping

_KILLS_PER_STORE = 25
_FILE = "sqlite"
_KEEPING: dict[str, Callable[[Path], Keeping]] = {_FILE: InFile, "postgresql": InDatabase}
_SECTIONS = {
    _FILE: ("crash", "The long run"),
    "postgresql": ("crash-postgresql", "The long run on PostgreSQL"),
}


class Campaign:
    """Episodes side by side until there were enough kills or the time is up."""

    def __init__(self, seed: str, kills: int, seconds: float, database: str) -> None:
        self.seed = seed
        self._keep_in = _KEEPING[database]
        self.episodes: list[Episode] = []
        self.found: list[Violation] = []
        self._aims = Aims() if database == _FILE else None
        self._kills_left = kills
        self._until = time.monotonic() + seconds

    async def play(self, lanes: int) -> None:
        """All of them."""
        async with asyncio.TaskGroup() as group:
            for lane in range(lanes):
                group.create_task(self._lane(lane))

    async def _lane(self, lane: int) -> None:
        for number in count():
            if self._enough():
                return
            await self._episode(f"{self.seed}/{lane}/{number}")

    async def _episode(self, seed: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            some = islice(self._kills(), _KILLS_PER_STORE)
            house = OneBridge(Path(folder), seed, some, self._aims, self._keep_in)
            episode = Episode(seed, house)
            violations = await play_and_judge(episode, Path(folder))
        self.episodes.append(episode)
        self.found += violations
        say(f"{seed}: {len(episode.history.kills)} kills, {len(violations)} findings")
        show(violations)

    def _kills(self) -> Iterator[int]:
        while not self._enough():
            self._kills_left -= 1
            yield self._kills_left

    def _enough(self) -> bool:
        return self._kills_left <= 0 or time.monotonic() > self._until


def main() -> int:
    """Plays what the words say."""
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # no bridge is left behind
    say(f"seed {options.seed}")
    campaign = Campaign(options.seed, options.kills, options.seconds, options.database)
    asyncio.run(campaign.play(options.lanes))
    played = [(episode.history, episode.record) for episode in campaign.episodes]
    figures = figures_of(played, campaign.found)
    if options.database != _FILE:
        del figures[AIMED_AT]
    for what, figure in figures.items():
        say(f"{what}: {figure}")
    if options.record:
        record(*_SECTIONS[options.database], {**figures, "seed": options.seed})
    return 1 if campaign.found else 0


def _options() -> argparse.Namespace:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--kills", type=int, default=1000)
    words.add_argument("--seconds", type=float, default=float("inf"), help="begin none after that")
    words.add_argument("--seed", default=secrets.token_hex(4))
    words.add_argument("--database", choices=list(_KEEPING), default=_FILE)
    words.add_argument("--lanes", type=int, default=3, help="how many bridges at a time")
    words.add_argument("--record", action="store_true", help="keep the figures in docs/")
    return words.parse_args()


if __name__ == "__main__":
    sys.exit(main())
