"""A batch as the arguments of one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from schedule_bridge.store import rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schedule_bridge.store.batch import Batch, Row

APPEND = f"SELECT append_batch({', '.join(f'${number}' for number in range(1, 19))})"

_WORKSPACE = ("workspace_id", "max_concurrent_executions", "fencing_token")
_NEXT_TICK = ("trigger_id", "next_tick")
_SLOT = ("trigger_id", "lock_key", "kind")
_DROPPED = ("firing_id", "reason", "message", "at")
_FORGOTTEN = ("workspace_id", "key")


class _Bytes:
    """Bytes that rows hold, handed over beside them; a row names the place, counted from 1."""

    def __init__(self) -> None:
        self.all: list[bytes] = []

    def aside(self, row: Row, *places: int) -> list[Any]:
        """The row with the bytes at these places put aside."""
        plain = list(row)
        for place in places:
            if plain[place] is not None:
                self.all.append(plain[place])
                plain[place] = len(self.all)
        return plain


def arguments(batch: Batch) -> tuple[Any, ...]:
    """What APPEND wants after the owner and the epoch: engine time, bytes, and rows of each kind.

    Raises:
        ValueError: a value that is too large for any column.
    """
    aside = _Bytes()
    state = _state(batch, aside)
    history = _history(batch, aside)
    return (batch.clock, aside.all, *state, *history)


def _state(batch: Batch, aside: _Bytes) -> tuple[Any, ...]:
    triggers = [rows.trigger_row(each) for each in batch.triggers.values() if each is not None]
    held = [row for row in batch.held.values() if row is not None]
    return (
        _objects(_WORKSPACE, batch.workspaces.values()),
        _objects(rows.TRIGGER_COLUMNS, [aside.aside(row, 3) for row in triggers]),
        [trigger_id for trigger_id, each in batch.triggers.items() if each is None] or None,
        _objects(_NEXT_TICK, batch.next_ticks.items()),
        _objects(rows.HELD_COLUMNS, [aside.aside(row, 7) for row in held]),
        _objects(_SLOT, [slot for slot, row in batch.held.items() if row is None]),
        _objects(
            rows.EXECUTION_COLUMNS, [aside.aside(row, 10) for row in batch.executions.values()]
        ),
        _objects(rows.JOB_COLUMNS, batch.jobs.values()),
    )


def _history(batch: Batch, aside: _Bytes) -> tuple[Any, ...]:
    # One statement may not write a row twice.
    answers = {(each.workspace_id, each.key): each for each in batch.answers}.values()
    return (
        _objects(rows.DECISION_COLUMNS, map(rows.decision_row, batch.decisions.values())),
        _objects(_DROPPED, batch.dropped_with),
        _objects(rows.MISSED_COLUMNS, map(rows.missed_row, batch.missed)),
        _objects(
            rows.ANSWER_COLUMNS, [aside.aside(rows.answer_row(each), 2, 3) for each in answers]
        ),
        _objects(_FORGOTTEN, batch.forgotten),
    )


def _objects(columns: Sequence[str], given: Iterable[Iterable[Any]]) -> str | None:
    made = [dict(zip(columns, row, strict=True)) for row in given]
    return orjson.dumps(made).decode() if made else None
