"""What is in deploy/ sets what `serve` reads, and keeps files where the service may write."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import yaml  # type: ignore[import-untyped]  # it carries no types

from schedule_bridge.cli.serve import serve

_FOLDER = Path(__file__).parents[2] / "deploy"
_UNIT = (_FOLDER / "schedule-bridge.service").read_text()
_SERVICES: dict[str, Any] = yaml.safe_load((_FOLDER / "compose.yaml").read_text())["services"]
_BRIDGES = {name: each for name, each in _SERVICES.items() if name.startswith("bridge-")}
_SETTINGS = {
    "SCHEDULE_BRIDGE_" + option.opts[0].removeprefix("--").replace("-", "_").upper()
    for option in serve.params
    if isinstance(option, click.Option)
}


def test_the_unit_sets_what_serve_reads() -> None:
    assert set(re.findall(r"SCHEDULE_BRIDGE_\w+", _UNIT)) <= _SETTINGS


def test_the_units_files_lie_where_the_service_may_write() -> None:
    folder = re.search(r"^StateDirectory=(\S+)$", _UNIT, re.MULTILINE)
    assert folder is not None
    for path in re.findall(r"^Environment=SCHEDULE_BRIDGE_\w+=(/\S+)$", _UNIT, re.MULTILINE):
        assert path.startswith(f"/var/lib/{folder[1]}/")


def test_the_bridges_of_a_composition_are_set_by_what_serve_reads() -> None:
    for bridge in _BRIDGES.values():
        names = {name for name in bridge["environment"] if name.startswith("SCHEDULE_BRIDGE_")}
        assert names <= _SETTINGS


def test_each_bridge_of_a_composition_says_its_own_address() -> None:
    addresses = {
        name: urlsplit(each["environment"]["SCHEDULE_BRIDGE_ADDRESS"]).hostname
        for name, each in _BRIDGES.items()
    }
    assert addresses == {name: name for name in _BRIDGES}


def test_each_node_red_of_a_composition_knows_every_bridge() -> None:
    for name, each in _SERVICES.items():
        if name.startswith("node-red-"):
            urls = each["environment"]["SCHEDULE_BRIDGE_URL"].split(",")
            assert {urlsplit(url).hostname for url in urls} == _BRIDGES.keys()
