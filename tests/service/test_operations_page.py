"""docs/operations.md lists what there is: every metric, every setting, every bound."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from schedule_bridge.cli.serve import serve
from schedule_bridge.core.model import DAY, HOUR, MINUTE
from schedule_bridge.engine import Settings
from service.edge import AUTHORIZED

if TYPE_CHECKING:
    from service.bridge import RunningBridge

_PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()


async def test_the_metrics_are_those_that_there_are(bridge: RunningBridge) -> None:
    await bridge.set()
    await bridge.fire()
    async with bridge.session.get(f"{bridge.base}/metrics", headers=AUTHORIZED) as response:
        told = re.findall(r"^# TYPE (\w+)", await response.text(), re.MULTILINE)
    listed = re.findall(r"^\| `(schedule_bridge_\w+)` \|", _PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(told)


def test_the_settings_are_those_of_serve_with_their_defaults() -> None:
    listed = re.findall(
        r"^\| `(--[\w-]+)` \| `(SCHEDULE_BRIDGE_\w+)` \| (?:`([^`]+)`)?", _PAGE, re.MULTILINE
    )
    options = [each for each in serve.params if isinstance(each, click.Option)]
    there_are = {
        option.opts[0]: str(option.default) if option.show_default else "" for option in options
    }
    assert {name: default for name, _, default in listed} == there_are
    for name, variable, _ in listed:
        assert variable == "SCHEDULE_BRIDGE_" + name.removeprefix("--").replace("-", "_").upper()


def test_the_bounds_are_those_of_the_engine() -> None:
    settings = Settings()
    assert (settings.history_kept, settings.detached_kept) == (30 * DAY, 30 * DAY)
    assert (settings.keys_kept, settings.prune_every) == (24 * HOUR, 5 * MINUTE)
    mebibytes = settings.key_bytes_per_workspace // 2**20
    assert f"24 hours, {settings.keys_per_workspace:,} and {mebibytes} MiB a workspace" in _PAGE
    assert f"30 days and {settings.history_rows:,} of each" in _PAGE
