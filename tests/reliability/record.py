"""Keeps what a long run has measured."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from .page import page
from .sections import SECTIONS

if TYPE_CHECKING:
    from .page import Figures, Recorded

DOCS = Path(__file__).parents[2] / "docs"


def record(section: str, title: str, figures: Figures, docs: Path = DOCS) -> None:
    """Keeps a run's figures in place of the last ones of that title, and writes the page anew.

    Raises:
        ValueError: no entry in `SECTIONS` says what the section means.
    """
    if section not in SECTIONS:
        raise ValueError(f"Describe the section {section!r} in tests/reliability/sections.py.")
    kept = docs / "reliability.json"
    recorded: Recorded = json.loads(kept.read_text()) if kept.exists() else {}
    today = datetime.now(UTC).date().isoformat()
    recorded.setdefault(section, {})[title] = {"measured": today, "figures": figures}
    kept.write_text(json.dumps(recorded, indent=2, ensure_ascii=False) + "\n")
    (docs / "reliability.md").write_text(page(recorded))
