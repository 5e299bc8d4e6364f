"""The short form: ratios are printed, and a fall below a part of what is recorded is a failure.

One bad figure says little on a busy machine, so that a comparison has to fail three times in a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.rounds import Rounds
    from bench.row import Comparison, Row

_LEAST_SHARE = 0.3
_ATTEMPTS = 3


def fallen(
    row: Row, recorded: dict[str, Any], rounds: Rounds, say: Callable[[Comparison], None]
) -> list[str]:
    """The comparisons of a row that fell three times; what was not recorded cannot fall.

    Nor can what was recorded while others were busy on the machine.
    """
    kept = recorded["rows"].get(row.name, {"comparisons": [], "noisy": True})
    comparisons = [] if kept["noisy"] else kept["comparisons"]
    before = {(each["what"], each["against"]): each["ratio"] for each in comparisons}
    low: list[str] = []
    for _ in range(_ATTEMPTS):
        measured = row.measure(rounds)
        for comparison in measured:
            say(comparison)
        low = [each.what for each in measured if _is_low(each, before)]
        if not low:
            break
    return low


def _is_low(comparison: Comparison, before: dict[tuple[str, str], float]) -> bool:
    recorded = before.get((comparison.what, comparison.against))
    if recorded is None:
        return False
    return comparison.bound.share(comparison.ratio, recorded) < _LEAST_SHARE
