"""What a run has seen, in numbers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from crash.aims import CELLS, cells_hit
from crash.checks.violation import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from crash.checks.violation import Violation
    from crash.history import History
    from crash.record import Record

AIMED_AT = "boundaries of a commit times what it holds"
"""The figure that means something where kills are aimed."""


def figures_of(
    episodes: Sequence[tuple[History, Record]], found: Iterable[Violation]
) -> dict[str, int | str]:
    """For the page and the terminal."""
    kills = [kill for history, _ in episodes for kill in history.kills]
    calls = [call for history, _ in episodes for call in history.calls]
    claims = [claim for history, _ in episodes for claim in history.claims]
    verdicts = Counter(row["verdict"] for _, record in episodes for row in record.decisions)
    stretches = [row for _, record in episodes for row in record.missed_stretches]
    kinds = Counter(violation.kind for violation in found)
    return {
        "kills": len(kills),
        **{
            f"killed {boundary}": count
            for boundary, count in sorted(Counter(kill.boundary for kill in kills).items())
        },
        AIMED_AT: f"{len(cells_hit(kills))} of {CELLS}",
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
