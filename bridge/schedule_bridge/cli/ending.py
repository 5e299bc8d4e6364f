"""`schedule-bridge cancel` and `terminate`: the end of a run by an operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from schedule_bridge.cli.client import path_of
from schedule_bridge.cli.connecting import as_json_option, asks_bridge
from schedule_bridge.cli.finding import find_active_execution, short_id
from schedule_bridge.cli.tables import print_json, print_line

if TYPE_CHECKING:
    from schedule_bridge.cli.client import BridgeClient


@click.command()
@click.argument("execution")
@as_json_option
@asks_bridge
def cancel(bridge: BridgeClient, execution: str, *, as_json: bool) -> None:
    """Cancel an active run, and leave its jobs alone.

    EXECUTION is the run's id or the beginning of it. Outstanding jobs are left to their workers;
    messages of a Node-RED flow go on to the next guard or finish node.
    """
    _end(bridge, execution, "cancel", "Cancelled: run {}.", as_json=as_json)


@click.command()
@click.argument("execution")
@as_json_option
@asks_bridge
def terminate(bridge: BridgeClient, execution: str, *, as_json: bool) -> None:
    """Cancel an active run, its jobs first.

    EXECUTION is the run's id or the beginning of it. Undelivered messages of a Node-RED flow are
    discarded; what a node is doing already cannot be stopped.
    """
    said = "Terminated: run {}. Its outstanding jobs were cancelled first."
    _end(bridge, execution, "terminate", said, as_json=as_json)


def _end(bridge: BridgeClient, text: str, verb: str, said: str, *, as_json: bool) -> None:
    found = find_active_execution(bridge, text)
    ended = bridge.post(path_of("executions", found["executionId"], verb))
    if as_json:
        print_json(ended)
    else:
        print_line(said.format(short_id(ended["executionId"])))
