"""`schedule-bridge history`: the latest decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from schedule_bridge.cli.connecting import as_json_option, asks_bridge
from schedule_bridge.cli.failures import NotFoundError
from schedule_bridge.cli.finding import all_triggers, find_trigger, name_of, short_id
from schedule_bridge.cli.tables import print_json, print_line, print_table
from schedule_bridge.cli.when import Moment, MomentType, local_time, now
from schedule_bridge.wire.times import format_instant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedule_bridge.cli.client import BridgeClient, Json
    from schedule_bridge.core.model import Instant

_HEADS: Final = ("time", "trigger", "decision", "run")


@click.command()
@click.argument("trigger", required=False)
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000))
@click.option("--since", type=MomentType(), help="Nothing from before it.")
@as_json_option
@asks_bridge
def history(
    bridge: BridgeClient,
    trigger: str | None,
    limit: int,
    since: Moment | None,
    *,
    as_json: bool,
) -> None:
    """Show the latest decisions, the newest last.

    TRIGGER is a name, an id or the end of an id, or the whole id of a trigger that was removed;
    without it all triggers are shown. The JSON is the API's own page, newest first.
    """
    wanted = _id_of(bridge, trigger) if trigger is not None else None
    start = format_instant(since.first) if since else None
    page = bridge.get("/v1/decisions", triggerId=wanted, limit=limit, since=start)
    if as_json:
        print_json(page)
    elif not page["decisions"]:
        print_line("Nothing has been decided.")
    else:
        names = {each["triggerId"]: name_of(each) for each in all_triggers(bridge)}
        at = now()
        print_table(_HEADS, [_row(each, names, at) for each in reversed(page["decisions"])])


def _id_of(bridge: BridgeClient, text: str) -> str:
    try:
        return str(find_trigger(bridge, text)["triggerId"])
    except NotFoundError:
        if bridge.get("/v1/decisions", triggerId=text, limit=1)["decisions"]:
            return text  # of a trigger that was removed, whose history is kept
        raise


def _row(decision: Json, names: Mapping[str, str], at: Instant) -> tuple[str, ...]:
    trigger_id = decision["triggerId"]
    return (
        local_time(decision["decidedAt"], at),
        names.get(trigger_id, trigger_id),
        decision["message"],
        short_id(decision["executionId"]),
    )
