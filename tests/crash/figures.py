"""What a run has seen, in numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median
from typing import TYPE_CHECKING

from crash.aims import CELLS, cells_hit
from crash.checks.violation import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from crash.checks.violation import Violation
    from crash.history import History
    from crash.record import Record
    from crash.upheavals import Upheavals

AIMED_AT = "boundaries of a commit times what it holds"
"""The figure that means something where kills are aimed."""


def figures_of(
    episodes: Sequence[tuple[History, Record]], found: Iterable[Violation]
) -> dict[str, int | str]:
    """Of kills at chosen boundaries, for the page and the terminal."""
    kills = [kill for history, _ in episodes for kill in history.kills]
    return {
        "kills": len(kills),
        **{
            f"killed {boundary}": count
            for boundary, count in sorted(Counter(kill.boundary for kill in kills).items())
        },
        AIMED_AT: f"{len(cells_hit(kills))} of {CELLS}",
        **traffic_of(episodes, found),
    }


def upheavals_of(houses: Iterable[Upheavals], lease_seconds: float) -> dict[str, int | str]:
    """What befell several bridges, and how soon others decided in their place."""
    befallen: Counter[str] = Counter()
    took: dict[str, list[float]] = defaultdict(list)
    for upheavals in houses:
        befallen += upheavals.befallen
        for name, seconds in upheavals.taken_over.items():
            took[name] += seconds
    return {
        **dict(sorted(befallen.items())),
        "seconds of a lease": f"{lease_seconds:g}",
        **{f"decided again after, {name}": _spread(took[name]) for name in sorted(took)},
    }


def traffic_of(
    episodes: Sequence[tuple[History, Record]], found: Iterable[Violation]
) -> dict[str, int | str]:
    """What went on meanwhile, and what was found wrong with it."""
    calls = [call for history, _ in episodes for call in history.calls]
    claims = [claim for history, _ in episodes for claim in history.claims]
    verdicts = Counter(row["verdict"] for _, record in episodes for row in record.decisions)
    stretches = [row for _, record in episodes for row in record.missed_stretches]
    kinds = Counter(violation.kind for violation in found)
    return {
        "stores": len(episodes),
        "requests": len(calls),
        "requests without an answer": sum(call.status is None for call in calls),
        "firings": verdicts.total() - verdicts["missed"],
        "ticks in missed stretches": sum(row["ticks"] for row in stretches),
        "executions": sum(len(record.executions) for _, record in episodes),
        "claims confirmed": sum(claim.confirmed for claim in claims),
        **{kind: kinds[kind] for kind in Kind},
        "answers of 500 and above": sum((call.status or 0) >= 500 for call in calls),
    }


def owners_of(records: Iterable[Record]) -> dict[str, int | str]:
    """What the witnesses in the databases have seen."""
    epochs: set[tuple[int, str, int]] = set()
    commits = 0
    for number, record in enumerate(records):
        epochs |= {(number, row["workspace_id"], row["epoch"]) for row in record.holds}
        commits += len({row["transaction"] for row in record.writes})
    return {"commits seen in the database": commits, "epochs of workspaces": len(epochs)}


def _spread(seconds: Sequence[float]) -> str:
    if not seconds:
        return "nobody had to"
    middle, longest = median(seconds), max(seconds)
    return f"{middle:.1f} s, {longest:.1f} s at the most, of {len(seconds)}"
