"""`schedule-bridge hand-over`: which bridge of a shared store decides for a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from schedule_bridge.cli.client import path_of
from schedule_bridge.cli.connecting import as_json_option, asks_bridge
from schedule_bridge.cli.tables import print_json, print_line

if TYPE_CHECKING:
    from schedule_bridge.cli.client import BridgeClient


@click.command("hand-over")
@click.argument("workspace")
@click.option(
    "--to",
    metavar="URL",
    help="The bridge that is to decide, by its --address; the one with the fewest if left out.",
)
@as_json_option
@asks_bridge
def hand_over(bridge: BridgeClient, workspace: str, to: str | None, *, as_json: bool) -> None:
    """Let another bridge of the store decide for a workspace.

    Any bridge of the store can be asked. What was accepted is committed, clients connect anew.
    """
    body = {} if to is None else {"to": to}
    answer = bridge.post(path_of("workspaces", workspace, "hand-over"), body)
    if as_json:
        print_json(answer)
    else:
        print_line(f"The bridge at {answer['address']} decides for {workspace}.")
