"""The start on a full store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.places import work_folder
from bench.processes import contestant, figures_of
from bench.row import Comparison, Row, at_most
from bench.stores import Content, copy_of

if TYPE_CHECKING:
    from bench.rounds import Rounds


def _measure(rounds: Rounds) -> list[Comparison]:
    with work_folder() as folder:
        file = copy_of(Content(triggers=100_000, active=10_000, crons=True), folder)
        taken = rounds.at_most(3).alternate(
            {
                "ours": lambda: figures_of(contestant("start", file)),
                "theirs": lambda: figures_of(contestant("plain_read", file)),
            }
        )
    ours, theirs = taken["ours"]["milliseconds"], taken["theirs"]["milliseconds"]
    what = "100,000 triggers, 10,000 active executions"
    return [Comparison(what, "`SELECT *` by plain sqlite3", ours, theirs, "ms", at_most(5))]


ROW = Row(
    "start",
    "start on a full store",
    "From opening the file until decisions can be made. Every other schedule is an interval, the "
    "others are cron expressions in five zones. sqlite3 reads every live row into tuples.",
    _measure,
)
