"""`python -m bench [--only ROW] [--rounds N] [--record] [--short]`."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

from bench import machine
from bench.measures import ROWS
from bench.record import Measured, record
from bench.rounds import Rounds

if TYPE_CHECKING:
    from bench.row import Comparison, Row


def main() -> int:
    """Measures what was asked for and says how it stands."""
    options = _options()
    load = machine.load()
    noisy = "" if machine.is_quiet(load) else "  NOISY: quote nothing of this run"
    _say(f"Load before the start: {load:.2f}{noisy}")
    rows = [row for row in ROWS if not options.only or row.name in options.only]
    measured = [_measured(row, Rounds(options.rounds)) for row in rows]
    if options.record:
        record(measured, load)
    return 0


def _options() -> argparse.Namespace:
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser("bench", description="Measures ours and others side by side.")
    parser.add_argument("--only", action="append", choices=names, help="a row; may be repeated")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--record", action="store_true", help="keep the figures in docs/")
    return parser.parse_args()


def _measured(row: Row, rounds: Rounds) -> Measured:
    began, neighbours = time.monotonic(), machine.Neighbours.watch()
    comparisons = row.measure(rounds)
    others = neighbours.share()
    noisy = ", NOISY" if machine.is_noisy(others) else ""
    took = time.monotonic() - began
    _say(f"\n{row.name}: {row.what} ({took:.0f} s, others took {others:.0%}{noisy})")
    for comparison in comparisons:
        _say(f"    {_line(comparison)}")
    return Measured(row, comparisons, others)


def _line(comparison: Comparison) -> str:
    figures = f"{comparison.ours:,.1f} to {comparison.theirs:,.1f} {comparison.unit}"
    verdict = "met" if comparison.is_met else "NOT MET"
    return (
        f"{comparison.what} | {comparison.against}: {figures}, ratio {comparison.ratio:.3f} "
        f"({comparison.bound}): {verdict}"
    )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
