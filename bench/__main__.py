"""`python -m bench [--only ROW] [--rounds N] [--record] [--short] [--flame-graph]`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from bench import flame, machine
from bench.measures import ROWS
from bench.page import page
from bench.record import DOCS, Measured, kept, record
from bench.rounds import Rounds
from bench.short import fallen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.row import Comparison, Row

_SHORT = Rounds(count=1, seconds=1)


def main() -> int:
    """Measures what was asked for and says how it stands; 1 if anything has failed."""
    options = _options()
    load = machine.load() if options.short else machine.come_to_rest()
    noisy = "" if machine.is_quiet(load) else "  NOISY: quote nothing of this run"
    _say(f"Load before the start: {load:.2f}{noisy}")
    rows = [row for row in ROWS if not options.only or row.name in options.only]
    if options.short:
        return _short([row for row in rows if row.in_short_form])
    found = [_measured(row, Rounds(options.rounds)) for row in rows]
    measured = [each for each in found if each is not None]
    if options.record:
        (DOCS / "performance.md").write_text(page(record(measured, load)))
    if options.flame_graph:
        flame.draw(DOCS / "images" / "flame-graph.svg")
    return 0 if len(measured) == len(rows) else 1


def _options() -> argparse.Namespace:
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser("bench", description="Measures ours and others side by side.")
    parser.add_argument("--only", action="append", choices=names, help="a row; may be repeated")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--record", action="store_true", help="keep the figures in docs/")
    parser.add_argument("--short", action="store_true", help="one quick round, held to the record")
    parser.add_argument("--flame-graph", action="store_true", help="draw it anew, too")
    return parser.parse_args()


def _short(rows: Sequence[Row]) -> int:
    recorded = kept()
    fell = [what for row in rows for what in fallen(row, recorded, _SHORT, _say_comparison)]
    for what in fell:
        _say(f"Three times in a row below 0.3 of what is recorded: {what}")
    return 1 if fell else 0


def _measured(row: Row, rounds: Rounds) -> Measured | None:
    """A row's figures; None, and why, if they could not be had: the other rows go on."""
    began, neighbours = time.monotonic(), machine.Neighbours.watch()
    try:
        comparisons = row.measure(rounds)
    except (OSError, RuntimeError, TimeoutError, subprocess.TimeoutExpired) as error:
        _say(f"\n{row.name}: could not be measured: {error}")
        return None
    others = neighbours.share()
    noisy = ", NOISY" if machine.is_noisy(others) else ""
    took = time.monotonic() - began
    _say(f"\n{row.name}: {row.what} ({took:.0f} s, others took {others:.0%}{noisy})")
    for comparison in comparisons:
        _say_comparison(comparison)
    return Measured(row, comparisons, others)


def _say_comparison(comparison: Comparison) -> None:
    figures = f"{comparison.ours:,.1f} to {comparison.theirs:,.1f} {comparison.unit}"
    verdict = "met" if comparison.is_met else "NOT MET"
    _say(
        f"    {comparison.what} | {comparison.against}: {figures}, ratio {comparison.ratio:.3f} "
        f"({comparison.bound}): {verdict}"
    )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
