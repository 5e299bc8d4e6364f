"""`python -m bench.bridges [--rounds N] [--record] [--size CLIENTS TRIGGERS SECONDS] [--page]`."""

from __future__ import annotations

import argparse
import sys

from bench import machine
from bench.bridges import page, record
from bench.bridges.cores import cores
from bench.bridges.database import database
from bench.bridges.sizes import arithmetic, table
from bench.bridges.sizing import Costs, House
from bench.bridges.standing import bytes_of_rows, round_trips, standing, streams
from bench.bridges.throughput import throughput
from bench.places import work_folder
from bench.rounds import Rounds


def main() -> None:
    """Measures, or computes from what was measured."""
    options = _options()
    if options.size:
        clients, triggers, seconds = options.size
        costs = Costs.of(record.kept())
        house = House(int(clients), int(triggers), seconds)
        _say("\n".join([*arithmetic(costs), *table([house], costs)]))
        return
    recorded = record.kept() if options.page else _measured(Rounds(options.rounds))
    if options.record:
        record.keep(recorded)
    if options.record or options.page:
        page.write(recorded)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("bench:bridges", description="Measures several bridges.")
    parser.add_argument("--rounds", type=int, default=5, help="how often throughput is measured")
    parser.add_argument("--record", action="store_true", help="keep the figures in docs/")
    parser.add_argument("--page", action="store_true", help="write the page anew from the record")
    parser.add_argument(
        "--size",
        nargs=3,
        type=float,
        metavar=("CLIENTS", "TRIGGERS", "SECONDS"),
        help="what a house takes by the record, a tick of each trigger every so many seconds",
    )
    return parser.parse_args()


def _measured(rounds: Rounds) -> record.Recorded:
    load, mine, neighbours = machine.come_to_rest(), cores(), machine.Neighbours.watch()
    _say(f"Load before the start: {load:.2f}; {mine}")
    with work_folder() as folder, database(folder, mine.database) as server:
        units = {**round_trips(server, mine), **bytes_of_rows(server, mine)}
        units |= standing(server, mine) | streams(server, mine)
        for what, figure in units.items():
            _say(f"{what}: {figure:,.2f}")
        found = throughput(server, mine, rounds)
        others = neighbours.share(server.busy_seconds())
    for name, figures in found.items():
        said = ", ".join(f"{what} {figure:,.2f}" for what, figure in figures.items())
        _say(f"{name}: {said}")
    noisy = not machine.is_quiet(load) or machine.is_noisy(others)
    _say(f"Others took {others:.0%}" + (", NOISY: quote nothing of this run" if noisy else ""))
    return record.recorded_of(found, units, str(mine), noisy=noisy)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
