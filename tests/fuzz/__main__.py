"""`npm run fuzz:long`: both fuzzers for as long as is wanted; see scripts/fuzz.mjs."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
from pathlib import Path

from reliability import record

from .api import Reached, fuzz_api
from .decoders import Decoded, fuzz_decoders

_SECONDS = 600
_OF_DECODERS = 0.25
"""The share of the time that goes to the decoders."""


def main() -> None:
    """Exits with 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="npm run fuzz:long --")
    parser.add_argument("--seconds", type=int, default=_SECONDS)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    sys.stdout.write(f"--seed {options.seed} --seconds {options.seconds}\n")
    decoded = fuzz_decoders(options.seconds * _OF_DECODERS, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        seconds = round(options.seconds * (1 - _OF_DECODERS))
        reached = asyncio.run(fuzz_api(Path(folder), seconds, options.seed))
    sys.stdout.write(f"{reached.told}\n{decoded}\n")
    if options.record:
        record("fuzz", "Requests and bodies", _figures(options, reached, decoded))
    raise SystemExit(1 if reached.complaints or reached.server_errors else 0)


def _figures(
    options: argparse.Namespace, reached: Reached, decoded: Decoded
) -> dict[str, int | str]:
    return {
        "seed": str(options.seed),
        "seconds": options.seconds,
        "routes": reached.routes,
        "requests": reached.requests,
        "answers that are not documented": reached.complaints,
        "answers with a status of 5xx": reached.server_errors,
        "bodies for the decoders": decoded.bodies,
        "of them read as a value": decoded.values,
        "of them refused with a fault": decoded.refused,
        "neither": decoded.bodies - decoded.values - decoded.refused,
        "the most memory for one body, in KiB": decoded.most_memory // 1024,
    }


if __name__ == "__main__":
    main()
