"""The unit of systemd sets what `serve` reads, and keeps files where the service may write."""

from __future__ import annotations

import re
from pathlib import Path

import click

from schedule_bridge.cli.serve import serve

_UNIT = (Path(__file__).parents[2] / "deploy" / "schedule-bridge.service").read_text()


def test_its_settings_are_settings_of_serve() -> None:
    there_are = {
        "SCHEDULE_BRIDGE_" + option.opts[0].removeprefix("--").replace("-", "_").upper()
        for option in serve.params
        if isinstance(option, click.Option)
    }
    assert set(re.findall(r"SCHEDULE_BRIDGE_\w+", _UNIT)) <= there_are


def test_its_files_lie_where_the_service_may_write() -> None:
    folder = re.search(r"^StateDirectory=(\S+)$", _UNIT, re.MULTILINE)
    assert folder is not None
    for path in re.findall(r"^Environment=SCHEDULE_BRIDGE_\w+=(/\S+)$", _UNIT, re.MULTILINE):
        assert path.startswith(f"/var/lib/{folder[1]}/")
