"""docs/grafana-dashboard.json shows every metric of the bridge, and asks for nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from promql_parser import parse

from service.edge import AUTHORIZED

if TYPE_CHECKING:
    from service.bridge import RunningBridge

_DOCS = Path(__file__).parents[2] / "docs"
_PANELS: list[dict[str, Any]] = json.loads((_DOCS / "grafana-dashboard.json").read_text())["panels"]
_OF_SHARED_STORES = set(
    re.findall(r"^\| `(schedule_bridge_\w+)` \|", (_DOCS / "scaling.md").read_text(), re.MULTILINE)
)
"""Held against real bridges by tests/bridges."""
_QUERIES: list[str] = [
    target["expr"] for panel in _PANELS if panel["type"] != "row" for target in panel["targets"]
]


@pytest.mark.parametrize("query", _QUERIES)
def test_prometheus_can_read_each_query(query: str) -> None:
    parse(query.replace("$__rate_interval", "5m"))


async def test_it_shows_what_there_is_to_see(bridge: RunningBridge) -> None:
    async with bridge.session.get(f"{bridge.base}/metrics", headers=AUTHORIZED) as response:
        told = await response.text()
    there_are = set(re.findall(r"^# TYPE (\w+)", told, re.MULTILINE))
    asked = {name for query in _QUERIES for name in re.findall(r"schedule_bridge_\w+", query)}
    assert {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked} == (
        there_are | _OF_SHARED_STORES
    )


def test_every_panel_says_what_it_shows() -> None:
    for panel in _PANELS:
        assert panel["title"]
        assert panel["type"] == "row" or panel["description"].endswith(".")


def test_no_panel_lies_over_another() -> None:
    cells = [
        (x, y)
        for panel in _PANELS
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
