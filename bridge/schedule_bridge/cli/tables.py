"""What people read on a terminal, and what stays readable in a pipe."""

from __future__ import annotations

import io
import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

import click
from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WIDTH_WITHOUT_TERMINAL = 100


def plain(text: str) -> str:
    """The text without what could steer a terminal: names and keys are whatever clients chose."""
    return "".join(character if character.isprintable() else " " for character in text)


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints rows under their heads, as wide as the terminal; nothing is cut off.

    A cell may have several lines.
    """
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*map(_plain_lines, row))
    _forgive_unknown_scripts()
    width = shutil.get_terminal_size((_WIDTH_WITHOUT_TERMINAL, 24)).columns
    Console(width=width, markup=False, highlight=False, emoji=False).print(table)


def _forgive_unknown_scripts() -> None:
    """A pipe may be in an encoding that lacks the letters of a name; better "?" than nothing."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _plain_lines(cell: str) -> str:
    return "\n".join(map(plain, cell.splitlines()))


def print_line(text: str) -> None:
    """Prints one line, however long."""
    _forgive_unknown_scripts()
    click.echo(plain(text))


def print_json(value: Any) -> None:
    """Prints the API's own answer."""
    click.echo(json.dumps(value, indent=1))
