"""What a store is made of, as far as it is the same in every kind: tables of plain rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from schedule_bridge.store import rows

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from schedule_bridge.core.model import Instant
    from schedule_bridge.store.batch import Row

PAGE: Final = 1000
"""How many rows are held at a time."""


@dataclass(slots=True, frozen=True)
class Table:
    """A table, its columns, and the columns by which its rows are in one order everywhere."""

    name: str
    columns: tuple[str, ...]
    order: tuple[str, ...]


# Whatever is named by another table comes before it. Counts of decisions follow the decisions.
TABLES: Final = (
    Table(
        "workspaces",
        ("workspace_id", "max_concurrent_executions", "fencing_token"),
        ("workspace_id",),
    ),
    Table("triggers", rows.TRIGGER_COLUMNS, ("trigger_id",)),
    Table("held_firings", rows.HELD_COLUMNS, ("trigger_id", "lock_key", "kind")),
    Table("executions", rows.EXECUTION_COLUMNS, ("creation_order", "execution_id")),
    Table("jobs", rows.JOB_COLUMNS, ("execution_id", "job_id")),
    Table("decisions", ("number", *rows.DECISION_COLUMNS), ("number",)),
    Table("missed_stretches", ("number", *rows.MISSED_COLUMNS), ("number",)),
    Table("idempotency_keys", rows.ANSWER_COLUMNS, ("workspace_id", "key")),
)


class End(Protocol):
    """One end of a move: a store that nobody else has while it is open.

    All methods may raise StoreError.
    """

    name: str

    async def clock(self) -> Instant:
        """Engine time at the last commit."""
        ...

    async def count(self, table: Table) -> int:
        """How many rows a table has."""
        ...

    def pages(self, table: Table) -> AsyncIterator[Sequence[Row]]:
        """All rows of a table in its order, PAGE at a time."""
        ...

    async def add(self, table: Table, given: Sequence[Row]) -> None:
        """Adds rows, to be kept or not with all others."""
        ...

    async def keep(self, clock: Instant) -> None:
        """Makes durable what was added, as a store whose last commit was at that engine time."""
        ...
