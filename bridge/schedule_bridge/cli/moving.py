"""`schedule-bridge move`: all that a store holds, into another one."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from schedule_bridge.cli.connecting import as_json_option
from schedule_bridge.cli.failures import FailedError
from schedule_bridge.cli.places import StoreAddress
from schedule_bridge.cli.postgres import postgres
from schedule_bridge.cli.tables import print_json, print_line
from schedule_bridge.store import StoreError
from schedule_bridge.store.moving import move as move_rows
from schedule_bridge.store.moving.sqlite_end import sqlite_source, sqlite_target

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractAsyncContextManager

    from schedule_bridge.store.moving import End
    from schedule_bridge.store.moving import Progress as TellProgress


@click.command(context_settings={"auto_envvar_prefix": "SCHEDULE_BRIDGE"})
@click.argument("source", metavar="FROM", type=StoreAddress())
@click.argument("target", metavar="TO", type=StoreAddress())
@as_json_option
def move(source: str | Path, target: str | Path, *, as_json: bool) -> None:
    """Copy all that a store holds into a new one, while no bridge uses either.

    FROM and TO are sqlite:PATH or postgresql://USER@HOST/DATABASE. Each row is compared with its
    copy before anything is kept. FROM stays as it is; TO has to be empty.
    """
    if source == target:
        raise click.UsageError("FROM and TO are one store.")
    try:
        with _shown(as_json=as_json) as tell:
            moved = asyncio.run(_move(source, target, tell))
    except StoreError as error:
        raise FailedError(str(error)) from None
    rows = sum(moved.values())
    if as_json:
        print_json({"rows": moved})
    else:
        print_line(f"{rows:,} rows were moved, and each was compared with its copy.")
        print_line("Start the bridge with --database set to the new store; keep the old one aside.")


async def _move(source: str | Path, target: str | Path, tell: TellProgress) -> dict[str, int]:
    async with _source(source) as reading, _target(target) as writing:
        return await move_rows(reading, writing, tell)


def _source(store: str | Path) -> AbstractAsyncContextManager[End]:
    if isinstance(store, Path):
        return sqlite_source(store)
    postgres(store)  # says what to install
    from schedule_bridge.store.postgres.end import postgres_source  # noqa: PLC0415 - optional

    return postgres_source(store)


def _target(store: str | Path) -> AbstractAsyncContextManager[End]:
    if isinstance(store, Path):
        return sqlite_target(store)
    postgres(store)
    from schedule_bridge.store.postgres.end import postgres_target  # noqa: PLC0415 - optional

    return postgres_target(store)


@contextmanager
def _shown(*, as_json: bool) -> Iterator[TellProgress]:
    """A line a table on a terminal; nothing in a pipe or beside JSON."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:.0f} %"))
    with Progress(
        *columns, console=console, disable=as_json or not console.is_terminal
    ) as progress:
        tasks = {}

        def tell(table: str, done: int, total: int) -> None:
            if table not in tasks:
                tasks[table] = progress.add_task(table.replace("_", " "), total=total)
            progress.update(tasks[table], completed=done)

        yield tell
