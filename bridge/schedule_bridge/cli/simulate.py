"""`schedule-bridge simulate`: a scenario on a virtual clock."""

from __future__ import annotations

import codecs
import sys
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from schedule_bridge.cli.simulate_table import print_table
from schedule_bridge.simulate import ScenarioRefused, play, read_scenario
from schedule_bridge.simulate.picture import draw, lay_out
from schedule_bridge.wire.codec import Media, decode, encode
from schedule_bridge.wire.faults import WireError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.simulate.output import Printed
    from schedule_bridge.simulate.scenario import Scenario

_BAD: Final = 2


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "table", "svg"]),
    help="How to print; without it a table on a terminal, else json.",
)
@click.option("--lines", is_flag=True, help="One scenario a line in, one JSON array a line out.")
def simulate(file: BinaryIO, form: str | None, *, lines: bool) -> None:
    """Run the scenario in FILE (- reads standard input) and print what happens."""
    if lines:
        if form not in (None, "json"):
            raise click.UsageError(f"--lines prints json only, not {form}.")
        raise SystemExit(_run_lines(file))
    try:
        scenario = _read(_without_mark(file.read()))
    except (WireError, ScenarioRefused) as error:
        click.echo(_sentence(error, "\n"), err=True)
        raise SystemExit(_BAD) from None
    _print(scenario, play(scenario), form or ("table" if sys.stdout.isatty() else "json"))


def _print(scenario: Scenario, printed: list[Printed], form: str) -> None:
    match form:
        case "svg":
            click.echo(draw(lay_out(scenario, printed)).encode(), nl=False)
        case "table":
            print_table(scenario, printed)
        case _:
            inner = b",\n ".join(encode(Media.JSON, event) for event in printed)
            click.echo(b"[\n " + inner + b"\n]" if printed else b"[]")


def _run_lines(file: Iterable[bytes]) -> int:
    """Answers each line on its line; a bad one with its error, and 2 in the end."""
    status = 0
    for number, line in enumerate(file):
        try:
            text = line.rstrip(b"\r\n")
            answer: object = play(_read(text if number else _without_mark(text)))
        except (WireError, ScenarioRefused) as error:
            answer, status = {"error": _sentence(error, "; ")}, _BAD
        click.echo(encode(Media.JSON, answer))
    return status


def _read(text: bytes) -> Scenario:
    return read_scenario(decode(Media.JSON, text))


def _without_mark(text: bytes) -> bytes:
    """Some editors and shells put a byte-order mark at the beginning of a file."""
    return text.removeprefix(codecs.BOM_UTF8)


def _sentence(error: WireError | ScenarioRefused, between: str) -> str:
    """What is wrong, each fault with its place."""
    if isinstance(error, WireError):
        return f"{error.pointer}: {error.sentence}" if error.pointer else error.sentence
    return between.join(f"{fault.pointer or '/'}: {fault.message}" for fault in error.faults)
