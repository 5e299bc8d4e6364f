"""Runs over the stream: offered, claimed and finished."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from bench.bridge import plain_server, real_bridge
from bench.places import work_folder
from bench.row import Comparison, Row, at_least
from bench.streaming import runs_of_bridge, runs_of_echo

if TYPE_CHECKING:
    from bench.rounds import Rounds

_STARTS_PER_SECOND_OF_ROUND = 1_500


def _measure(rounds: Rounds) -> list[Comparison]:
    starts = round(rounds.seconds * _STARTS_PER_SECOND_OF_ROUND)
    clients = count()
    with (
        work_folder() as folder,
        real_bridge(folder) as bridge,
        plain_server("ws_echo", folder, str(folder / "frames.db")) as echo,
    ):
        taken = rounds.alternate(
            {
                "ours": lambda: runs_of_bridge(bridge, f"c{next(clients)}", starts),
                "theirs": lambda: runs_of_echo(echo, starts),
            }
        )
    ours, theirs = taken["ours"]["per second"], taken["theirs"]["per second"]
    against = "aiohttp WebSocket echo, one group commit a batch"
    what = "offered, claimed and finished"
    return [Comparison(what, against, ours, theirs, "starts a second", at_least(0.5))]


ROW = Row(
    "stream",
    "stream: starts a second",
    "3,000 triggers due at one instant, from that instant until the last end is answered: decided, "
    "offered, claimed, finished, over one connection. The echo gets the claims and the ends of as "
    "many runs, keeps each frame as a row, and sends it back after the commit.",
    _measure,
    in_short_form=True,
)
