"""docs/scaling.md lists what bridges of one store measure beside what every bridge does."""

from __future__ import annotations

import re
from pathlib import Path

from .house import bridges

_DOCS = Path(__file__).parents[2] / "docs"


def _listed(page: str) -> set[str]:
    text = (_DOCS / page).read_text()
    return set(re.findall(r"^\| `(schedule_bridge_\w+)` \|", text, re.MULTILINE))


async def test_the_metrics_are_those_that_there_are(tmp_path: Path) -> None:
    async with bridges(tmp_path, 1) as house:
        bridge = house.all[0]
        url = f"{bridge.base}/metrics"
        async with bridge.session.get(url, headers=bridge.authorized) as response:
            told = set(re.findall(r"^# TYPE (\w+)", await response.text(), re.MULTILINE))
    assert told == _listed("operations.md") | _listed("scaling.md")
