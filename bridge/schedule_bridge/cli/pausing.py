"""`schedule-bridge pause` and `resume`: whether a trigger fires (R1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from schedule_bridge.cli.client import path_of
from schedule_bridge.cli.connecting import as_json_option, asks_bridge
from schedule_bridge.cli.finding import find_trigger, name_of
from schedule_bridge.cli.standing import obstacles
from schedule_bridge.cli.tables import print_json, print_line
from schedule_bridge.cli.when import local_time, now

if TYPE_CHECKING:
    from schedule_bridge.cli.client import BridgeClient, Json


@click.command()
@click.argument("trigger")
@as_json_option
@asks_bridge
def pause(bridge: BridgeClient, trigger: str, *, as_json: bool) -> None:
    """Pause a trigger: its firings are skipped.

    TRIGGER is a name, an id or the end of an id. It stays paused over deploys and restarts until
    it is resumed; what runs or waits already goes on.
    """
    state = _command(bridge, trigger, "pause")
    if as_json:
        print_json(state)
    else:
        print_line(f"{name_of(state)}: {' '.join(obstacles(state, now()))}")


@click.command()
@click.argument("trigger")
@as_json_option
@asks_bridge
def resume(bridge: BridgeClient, trigger: str, *, as_json: bool) -> None:
    """Resume a trigger that is paused.

    TRIGGER is a name, an id or the end of an id.
    """
    state = _command(bridge, trigger, "resume")
    if as_json:
        print_json(state)
    else:
        print_line(f"{name_of(state)}: {' '.join(_resumed(state))}")


def _command(bridge: BridgeClient, trigger: str, verb: str) -> Json:
    found = find_trigger(bridge, trigger)
    return bridge.post(path_of("triggers", found["triggerId"], verb))


def _resumed(state: Json) -> list[str]:
    at = now()
    next_run = [f"Next run {local_time(state['nextRun'], at)}."] if state["nextRun"] else []
    return ["Resumed.", *obstacles(state, at), *next_run]
