"""`schedule-bridge simulate`: a scenario on a virtual clock."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, TextIO

import click
from rich.console import Console
from rich.table import Table

from schedule_bridge.simulate import ScenarioRefused
from schedule_bridge.simulate import simulate as run_scenario

if TYPE_CHECKING:
    from collections.abc import Iterable

_BAD = 2


class _UnreadableError(Exception):
    """The text holds no scenario; the message says why."""


@click.command()
@click.argument("file", type=click.File(encoding="utf-8", errors="replace"))
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "table"]),
    help="How to print; json unless the output is a terminal.",
)
@click.option("--lines", is_flag=True, help="One scenario a line in, one JSON array a line out.")
def simulate(file: TextIO, form: str | None, *, lines: bool) -> None:
    """Run the scenario in FILE (- reads standard input) and print what happens."""
    if lines:
        raise SystemExit(_run_lines(file))
    try:
        printed = run_scenario(_read(file.read()))
    except _UnreadableError as error:
        _refuse(str(error))
    except ScenarioRefused as refused:
        _refuse("\n".join(f"{fault.pointer or '/'}: {fault.message}" for fault in refused.faults))
    if (form or ("table" if sys.stdout.isatty() else "json")) == "json":
        click.echo(json.dumps(printed, indent=1))
    else:
        Console().print(_table(printed))


def _run_lines(file: Iterable[str]) -> int:
    """Answers each line; a bad one with its error, and 2 in the end."""
    status = 0
    for line in file:
        if not line.strip():
            continue
        try:
            answer: object = run_scenario(_read(line))
        except (_UnreadableError, ScenarioRefused) as error:
            answer, status = {"error": str(error)}, _BAD
        click.echo(json.dumps(answer))
    return status


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _UnreadableError(f"This is not JSON: {where}.") from None
    except (RecursionError, ValueError):
        raise _UnreadableError("A value is nested too deep, or a number is too long.") from None


def _refuse(why: str) -> None:
    click.echo(why, err=True)
    raise SystemExit(_BAD)


def _table(printed: Iterable[dict[str, Any]]) -> Table:
    table = Table("at", "event", "trigger", "details")
    for event in printed:
        rest = {
            name: value for name, value in event.items() if name not in ("at", "event", "triggerId")
        }
        details = ", ".join(f"{name} {json.dumps(value)}" for name, value in rest.items())
        table.add_row(str(event["at"]), event["event"], event.get("triggerId", ""), details)
    return table
