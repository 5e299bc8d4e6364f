"""The figures that are kept: docs/performance.json, and the page that shows them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bench import machine
from bench.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from bench.row import Comparison, Row

DOCS = ROOT / "docs"


@dataclass(slots=True)
class Measured:
    """A row as it came out; `others` is the part of the processor that others took meanwhile."""

    row: Row
    comparisons: list[Comparison]
    others: float


def kept(docs: Path = DOCS) -> dict[str, Any]:
    """What was recorded before."""
    file = docs / "performance.json"
    recorded: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {"rows": {}}
    return recorded


def record(measured: list[Measured], load_before: float, docs: Path = DOCS) -> dict[str, Any]:
    """Keeps rows in place of the last ones of their names; what is kept now."""
    recorded = kept(docs)
    recorded["machine"] = machine.describe()
    for each in measured:
        recorded["rows"][each.row.name] = {
            "measured": datetime.now(UTC).date().isoformat(),
            "load": round(load_before, 2),
            "noisy": not machine.is_quiet(load_before) or machine.is_noisy(each.others),
            "comparisons": [
                asdict(comparison) | {"ratio": comparison.ratio, "met": comparison.is_met}
                for comparison in each.comparisons
            ],
        }
    text = json.dumps(recorded, indent=2, ensure_ascii=False)
    (docs / "performance.json").write_text(text + "\n")
    return recorded
