"""Three bridges on one PostgreSQL under traffic, and whatever can befall them; judged as one.

`npm run upheaval:long -- [--minutes N] [--seed SEED] [--record]`. Exit code 1 if anything was lost,
doubled, leaked or wrong; what was found is kept in `.run/crash`.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from crash.episode import Episode
from crash.figures import owners_of, traffic_of, upheavals_of
from crash.playing import play_and_judge, say, show
from crash.several_bridges import SeveralBridges
from crash.upheavals import Upheavals
from reliability import record

if TYPE_CHECKING:
    from crash.checks.violation import Violation

_SECONDS_PER_STORE = 60.0


class Campaign:
    """One store after the other, as all are on one server, until the time is up."""

    def __init__(self, seed: str, seconds: float) -> None:
        self.seed = seed
        self.upheavals: list[Upheavals] = []
        self.out_of_time = 0
        self.episodes: list[Episode] = []
        self.found: list[Violation] = []
        self._until = time.monotonic() + seconds

    async def play(self) -> None:
        """All of them."""
        while (left := self._until - time.monotonic()) > 0:
            await self._episode(f"{self.seed}/{len(self.episodes)}", min(left, _SECONDS_PER_STORE))

    async def _episode(self, seed: str, seconds: float) -> None:
        with tempfile.TemporaryDirectory() as folder:
            upheavals = Upheavals(f"{seed}/upheavals", seconds)
            house = SeveralBridges(Path(folder), seed, upheavals)
            episode = Episode(seed, house)
            found = await play_and_judge(episode, Path(folder))
        self.upheavals.append(upheavals)
        self.out_of_time += house.out_of_time
        self.episodes.append(episode)
        self.found += found
        say(f"{seed}: {upheavals.befallen.total()} upheavals, {len(found)} findings")
        show(found)

    def figures(self) -> dict[str, int | str]:
        """For the page and the terminal."""
        played = [(episode.history, episode.record) for episode in self.episodes]
        return {
            **upheavals_of(self.upheavals, SeveralBridges.lease_seconds),
            "stops that took too long, and were cut short": self.out_of_time,
            **owners_of([episode.record for episode in self.episodes]),
            **traffic_of(played, self.found),
            "seed": self.seed,
        }


def main() -> int:
    """Plays what the words say."""
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # no bridge is left behind
    say(f"seed {options.seed}")
    campaign = Campaign(options.seed, options.minutes * 60)
    asyncio.run(campaign.play())
    figures = campaign.figures()
    for what, figure in figures.items():
        say(f"{what}: {figure}")
    if options.record:
        record("upheavals", "The long run of three bridges", figures)
    return 1 if campaign.found else 0


def _options() -> argparse.Namespace:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--minutes", type=float, default=10, help="of upheavals")
    words.add_argument("--seed", default=secrets.token_hex(4))
    words.add_argument("--record", action="store_true", help="keep the figures in docs/")
    return words.parse_args()


if __name__ == "__main__":
    sys.exit(main())
