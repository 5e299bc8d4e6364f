"""One decision at a time: how long a caller waits for it."""

from __future__ import annotations

from statistics import quantiles
from typing import TYPE_CHECKING

from bench import requests
from bench.asking import ask_for
from bench.bridge import Address, plain_server, real_bridge
from bench.places import work_folder
from bench.row import Comparison, Figures, Row, at_most

if TYPE_CHECKING:
    from bench.rounds import Rounds

_WARM_UP_SECONDS = 0.3
_AGAINST = "the same echo plus one fsync"
_MICROSECONDS = 1_000_000


def _measure(rounds: Rounds) -> list[Comparison]:
    with (
        work_folder() as folder,
        real_bridge(folder) as bridge,
        plain_server("echo", folder, "--fsync", str(folder / "appended")) as echo,
    ):
        bridge.call("PUT", "/v1/triggers/busy", {"overlapPolicy": "skip"})
        bridge.call("POST", "/v1/triggers/busy/fire", {})
        taken = rounds.alternate(
            {
                "ours": lambda: _asked(bridge, rounds.seconds),
                "theirs": lambda: _asked(echo, rounds.seconds),
            }
        )
    return [
        Comparison(
            f"one at a time, {name}",
            _AGAINST,
            taken["ours"][name],
            taken["theirs"][name],
            "µs",
            at_most(1.3),
        )
        for name in ("median", "p99")
    ]


def _asked(server: Address, seconds: float) -> Figures:
    conversations = [requests.firing(server, "busy")]
    took = ask_for(server.port, conversations, seconds, _WARM_UP_SECONDS).seconds
    cuts = quantiles(took, n=100)
    return {"median": cuts[49] * _MICROSECONDS, "p99": cuts[98] * _MICROSECONDS}


ROW = Row(
    "round-trip",
    "one decision at a time, round trip",
    "One connection, fire → skip; the echo writes 64 bytes to a file and waits for them to be on "
    "the disk before each answer.",
    _measure,
    in_short_form=True,
)
