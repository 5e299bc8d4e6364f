"""A batch as statements, within a transaction that its caller begins and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.store import rows, statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

    from schedule_bridge.store.batch import Batch, Row

_ENDED_AT = rows.EXECUTION_COLUMNS.index("ended_at")


def write(connection: sqlite3.Connection, batch: Batch) -> None:
    """Executes what the batch says; no statement for a kind of row that it has none of."""
    _write_state(connection, batch)
    _write_history(connection, batch)
    if not _tells_the_time(batch):
        connection.execute(statements.SET_CLOCK, (batch.clock,))


def _tells_the_time(batch: Batch) -> bool:
    """Whether a decision says already how late it is: a page less to write."""
    return any(
        decision.decided_at >= batch.clock for decision in reversed(batch.decisions.values())
    )


def _write_state(connection: sqlite3.Connection, batch: Batch) -> None:
    execute, many = connection.execute, connection.executemany
    if batch.workspaces:
        many(statements.SET_WORKSPACE, batch.workspaces.values())
    for trigger_id, record in batch.triggers.items():
        if record is None:
            execute(statements.DELETE_TRIGGER, (trigger_id,))
        else:
            execute(statements.SET_TRIGGER, rows.trigger_row(record))
    if batch.next_ticks:
        ticks = ((tick, trigger_id) for trigger_id, tick in batch.next_ticks.items())
        many(statements.SET_NEXT_TICK, ticks)
    for slot, row in batch.held.items():
        if row is None:
            execute(statements.DELETE_HELD, slot)
        else:
            execute(statements.SET_HELD, row)
    if batch.executions:
        _write_executions(connection, batch.executions.values())
    if batch.jobs:
        many(statements.SET_JOB, batch.jobs.values())


def _write_executions(connection: sqlite3.Connection, given: Collection[Row]) -> None:
    active = [row for row in given if row[_ENDED_AT] is None]
    if active:
        connection.executemany(statements.SET_ACTIVE_EXECUTION, active)
    if len(active) < len(given):
        ended = (row for row in given if row[_ENDED_AT] is not None)
        connection.executemany(statements.SET_ENDED_EXECUTION, ended)


def _write_history(connection: sqlite3.Connection, batch: Batch) -> None:
    many = connection.executemany
    if batch.decisions:
        many(statements.SET_DECISION, map(rows.decision_row, batch.decisions.values()))
    for firing_id, reason, message, at in batch.dropped_with:
        values = {"firing_id": firing_id, "reason": reason, "message": message, "at": at}
        connection.execute(statements.DROP_MERGED, values)
    if batch.missed:
        many(statements.ADD_MISSED, map(rows.missed_row, batch.missed))
    if batch.answers:
        many(statements.SET_ANSWER, map(rows.answer_row, batch.answers))
    if batch.forgotten:
        many(statements.DELETE_ANSWER, batch.forgotten)
