"""Copies all rows, reads both ends again, and keeps the copy if they are equal row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from schedule_bridge.store.errors import StoreError
from schedule_bridge.store.moving.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from schedule_bridge.store.batch import Row
    from schedule_bridge.store.moving.tables import End, Table

Progress: TypeAlias = "Callable[[str, int, int], None]"
"""Told the name of a table, how many of its rows have been gone through, and of how many.

Each row is gone through twice: copied, then compared.
"""


async def move(source: End, target: End, progress: Progress) -> dict[str, int]:
    """Fills an empty store with all that another one holds; rows by table.

    The source is read only. The target is as it was unless all went well.

    Raises:
        StoreError: the target is not empty, an end fails, or the two are not equal.
    """
    for table in TABLES:
        if await target.count(table):
            raise StoreError(f"{target.name} is not empty. Name a new store to move into.")
    moved = {table.name: await _move(table, source, target, progress) for table in TABLES}
    await target.keep(await source.clock())
    return moved


async def _move(table: Table, source: End, target: End, progress: Progress) -> int:
    total = await source.count(table)
    done = 0
    async for page in source.pages(table):
        await target.add(table, page)
        done += len(page)
        progress(table.name, done, 2 * total)
    async for mine, theirs in _side_by_side(source.pages(table), target.pages(table)):
        _compare(table, mine, theirs)
        done += len(mine)
        progress(table.name, done, 2 * total)
    return total


async def _side_by_side(
    mine: AsyncIterator[Sequence[Row]], theirs: AsyncIterator[Sequence[Row]]
) -> AsyncIterator[tuple[Sequence[Row], Sequence[Row]]]:
    while True:
        pages = (await _next(mine), await _next(theirs))
        if not any(pages):
            return
        yield pages


async def _next(pages: AsyncIterator[Sequence[Row]]) -> Sequence[Row]:
    async for page in pages:
        return page
    return ()


def _compare(table: Table, mine: Sequence[Row], theirs: Sequence[Row]) -> None:
    if mine == theirs:
        return
    for number, row in enumerate(mine):
        if number >= len(theirs) or theirs[number] != row:
            key = ", ".join(str(row[table.columns.index(column)]) for column in table.order)
            raise StoreError(f"The copy of {table.name} {key} is not what was copied.")
    raise StoreError(f"The copy of {table.name} has rows that nobody has copied.")
