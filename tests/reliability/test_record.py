"""Figures are kept by section and title, and the page shows all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .record import record
from .sections import SECTIONS

if TYPE_CHECKING:
    from pathlib import Path


def shown(docs: Path) -> str:
    return (docs / "reliability.md").read_text()


def test_the_page_shows_the_figures_with_what_they_mean_and_how_to_repeat_them(
    tmp_path: Path,
) -> None:
    record("crash", "1,000 kills", {"firings": 123456, "seed": "7"}, tmp_path)
    page = shown(tmp_path)
    assert "### 1,000 kills" in page
    assert "| firings | 123,456 |\n| seed | 7 |" in page
    assert SECTIONS["crash"].meaning in page
    assert SECTIONS["crash"].command in page


def test_a_later_run_replaces_the_one_of_its_title_and_leaves_the_others(tmp_path: Path) -> None:
    record("soak", "one hour", {"decisions": 1}, tmp_path)
    record("crash", "1,000 kills", {"lost": 1}, tmp_path)
    record("crash", "9 kills", {"lost": 2}, tmp_path)
    record("crash", "1,000 kills", {"lost": 0}, tmp_path)
    page = shown(tmp_path)
    assert "| lost | 1 |" not in page
    assert all(f"| {row} |" in page for row in ("lost | 0", "lost | 2", "decisions | 1"))


def test_a_section_that_nobody_has_described_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Describe the section 'luck'"):
        record("luck", "once", {}, tmp_path)
