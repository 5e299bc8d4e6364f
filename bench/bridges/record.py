"""The figures that are kept: docs/scaling.json."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypedDict

from bench import machine
from bench.record import DOCS

if TYPE_CHECKING:
    from bench.row import Figures

_FILE = DOCS / "scaling.json"


class Recorded(TypedDict):
    """One whole run: figures by house, and those of single things."""

    measured: str
    noisy: bool
    machine: dict[str, str]
    cores: str
    throughput: dict[str, Figures]
    units: Figures


def recorded_of(
    throughput: dict[str, Figures], units: Figures, cores: str, *, noisy: bool
) -> Recorded:
    """What a run has brought, with what a reader needs to judge it."""
    return Recorded(
        measured=datetime.now(UTC).date().isoformat(),
        noisy=noisy,
        machine=machine.describe(),
        cores=cores,
        throughput=throughput,
        units=units,
    )


def kept() -> Recorded:
    """What was recorded last; FileNotFoundError if nothing was."""
    recorded: Recorded = json.loads(_FILE.read_text())
    return recorded


def keep(recorded: Recorded) -> None:
    """Keeps a run in place of the last one."""
    text = json.dumps(recorded, indent=2, ensure_ascii=False)
    _FILE.write_text(text + "\n")
