"""What the bridge says at the end: its file, and its API as far as that could differ."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from schedule_bridge.wire.times import parse_instant

if TYPE_CHECKING:
    from pathlib import Path

    from crash.stage import Stage
    from schedule_bridge.core.model import Instant

Row: TypeAlias = dict[str, Any]

_TABLES = {
    "decisions": "number",
    "executions": "creation_order",
    "missed_stretches": "number",
    "held_firings": "creation_order",
    "jobs": "creation_order",
    "workspaces": "workspace_id",
    "triggers": "trigger_id",
}


@dataclass(slots=True)
class Record:
    """Rows by table, in the order of their making, and the views of the API by table.

    `holds`, `writes` and `beliefs` are what a witness saw in the database of several bridges.
    """

    decisions: list[Row] = field(default_factory=list)
    executions: list[Row] = field(default_factory=list)
    missed_stretches: list[Row] = field(default_factory=list)
    held_firings: list[Row] = field(default_factory=list)
    jobs: list[Row] = field(default_factory=list)
    workspaces: list[Row] = field(default_factory=list)
    triggers: list[Row] = field(default_factory=list)
    seen_decisions: list[Row] = field(default_factory=list)
    seen_executions: list[Row] = field(default_factory=list)
    seen_workspaces: list[Row] = field(default_factory=list)
    holds: list[Row] = field(default_factory=list)
    writes: list[Row] = field(default_factory=list)
    beliefs: list[Row] = field(default_factory=list)

    def execution(self, execution_id: str) -> Row | None:
        """The row of an execution."""
        found = (row for row in self.executions if row["execution_id"] == execution_id)
        return next(found, None)


async def ask(stage: Stage, record: Record, workspaces: tuple[str, ...]) -> None:
    """What the API says, while the bridge still runs."""
    record.seen_decisions = await _pages(stage, "decisions")
    record.seen_executions = await _pages(stage, "executions")
    for workspace in workspaces:
        call = await stage.insist("record", "GET", f"/v1/workspaces/{workspace}")
        record.seen_workspaces.append(call.value)


async def _pages(stage: Stage, kind: str) -> list[Row]:
    found: list[Row] = []
    cursor = ""
    while True:
        call = await stage.insist("record", "GET", f"/v1/{kind}?limit=1000{cursor}")
        found += call.value[kind]
        if call.value["nextCursor"] is None:
            return found
        cursor = f"&cursor={call.value['nextCursor']}"


def read(record: Record, database: Path) -> None:
    """What the file holds, after the bridge has let go of it."""
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    for table, order in _TABLES.items():
        rows = connection.execute(f"SELECT * FROM {table} ORDER BY {order}")  # noqa: S608 - ours
        setattr(record, table, [dict(row) for row in rows])
    for row in record.decisions:
        row["in_the_way"] = json.loads(row["in_the_way"])
    connection.close()


def instant(text: str | None) -> Instant | None:
    """An instant of the API, which has milliseconds only."""
    return None if text is None else parse_instant(text)
