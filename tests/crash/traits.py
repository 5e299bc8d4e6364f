"""What a commit holds, in words that name the command behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.decisions import Verdict
from schedule_bridge.core.model import State
from schedule_bridge.store.rows import EXECUTION_COLUMNS, HELD_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedule_bridge.store import Batch

_STATE = EXECUTION_COLUMNS.index("state")
_KIND = HELD_COLUMNS.index("kind")
_OTHERS = (
    *("trigger set", "trigger removed", "next tick", "workspace", "job", "named answer"),
    *("missed stretch", "merged firings dropped"),
    *("delayed firing held", "buffered firing held", "held firing let go"),
)

TRAITS: tuple[str, ...] = (
    *_OTHERS,
    *(f"execution {state}" for state in State),
    *(f"decision {verdict}" for verdict in Verdict),
)
"""All that there are."""


def traits_of(batch: Batch) -> set[str]:
    """The traits of one commit; some of TRAITS."""
    return set(_traits_of(batch))


def _traits_of(batch: Batch) -> Iterator[str]:
    for record in batch.triggers.values():
        yield "trigger removed" if record is None else "trigger set"
    for held in batch.held.values():
        yield "held firing let go" if held is None else f"{held[_KIND]} firing held"
    yield from (f"execution {row[_STATE]}" for row in batch.executions.values())
    yield from (f"decision {decision.verdict}" for decision in batch.decisions.values())
    for name, rows in (
        ("next tick", batch.next_ticks),
        ("workspace", batch.workspaces),
        ("job", batch.jobs),
        ("named answer", batch.answers),
        ("missed stretch", batch.missed),
        ("merged firings dropped", batch.dropped_with),
    ):
        if rows:
            yield name
