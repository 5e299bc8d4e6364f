"""`schedule-bridge preview`: the next ticks of a cron expression."""

from __future__ import annotations

import json
import time

import click
from rich.console import Console
from rich.table import Table

from schedule_bridge.schedule import ScheduleError, describe, parse_schedule
from schedule_bridge.schedule import preview as next_ticks
from schedule_bridge.wire.times import InstantError, format_instant, parse_instant


@click.command()
@click.argument("expression")
@click.option("--timezone", default="UTC", show_default=True, help="The schedule's time zone.")
@click.option("--from", "start", help="Ticks strictly after this instant; now if left out.")
@click.option("--count", default=5, show_default=True, type=click.IntRange(1, 1000))
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def preview(
    expression: str, timezone: str, start: str | None, count: int, *, as_json: bool
) -> None:
    """Print the next ticks of the cron EXPRESSION (5 or 6 fields)."""
    config = {"kind": "cron", "expression": expression, "timezone": timezone}
    try:
        after = parse_instant(start) if start else time.time_ns() // 1000
        schedule = parse_schedule(config, default_anchor=after)
    except (ScheduleError, InstantError) as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from None
    ticks = next_ticks(schedule, count=count, after=after)
    if as_json:
        click.echo(
            json.dumps([{"at": format_instant(tick.at), "local": tick.local} for tick in ticks])
        )
        return
    table = Table("UTC", timezone, title=describe(config))
    for tick in ticks:
        changed = " (the clocks changed)" if tick.clock_change else ""
        table.add_row(format_instant(tick.at), tick.local + changed)
    Console().print(table)
