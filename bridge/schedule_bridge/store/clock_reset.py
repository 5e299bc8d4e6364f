"""Engine time set back to the wall clock, with all that was measured by it (section 7).

Engine time never goes back by itself: after the wall clock was wrong and is right again, it runs
ahead, and every schedule waits until the wall clock has caught up. Only while no bridge has the
store can it be set back.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Final

from schedule_bridge.store import rows, statements
from schedule_bridge.store.errors import StoreError
from schedule_bridge.store.sqlite_faults import told
from schedule_bridge.store.sqlite_files import beside
from schedule_bridge.store.sqlite_lock import take
from schedule_bridge.store.sqlite_schema import LATEST, row_as_dict, version_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from schedule_bridge.core.model import Duration, Instant
    from schedule_bridge.store.batch import TriggerRecord

_MOVE_BACK: Final = (
    # What waits keeps the time that it has left. A pause began when it began by the same clock.
    """
    UPDATE executions SET deadline = deadline - :ahead, paused_at = paused_at - :ahead
    WHERE ended_at IS NULL
    """,
    "UPDATE held_firings SET ready_at = ready_at - :ahead",
    "UPDATE settings SET value = :now WHERE name = 'clock'",
)
NOT_AFTER_NOW: Final = (
    ("executions", ("created_at", "pending_at", "started_at", "ended_at")),
    ("triggers", ("paused_since", "detached_since")),
    ("decisions", ("decided_at", "fired_at")),
    ("missed_stretches", ("recorded_at",)),
    ("idempotency_keys", ("answered_at",)),
)
"""What has happened has happened by now."""


def reset_clock(
    path: Path, now: Instant, next_tick: Callable[[TriggerRecord], Instant | None]
) -> Duration:
    """Sets engine time of the store in a file back to `now`; by how much, 0 if it was not ahead.

    Ticks that lie after `now` are counted anew, so `next_tick` gives a trigger's first one after
    it; those that had been decided by a clock that was ahead are decided once more.

    Raises:
        StoreError: a bridge has the store, or it cannot be read or written.
    """
    try:
        with closing(take(beside(path, ".lock"))), closing(_open(path)) as connection:
            return _reset(connection, now, next_tick)
    except (sqlite3.Error, OSError) as error:
        raise told(error, path) from error


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", isolation_level=None, uri=True
    )
    connection.row_factory = row_as_dict
    return connection


def _reset(
    connection: sqlite3.Connection,
    now: Instant,
    next_tick: Callable[[TriggerRecord], Instant | None],
) -> Duration:
    version = version_of(connection)
    if version != LATEST:
        raise StoreError(
            f"The store has schema version {version}, not {LATEST}. Start this bridge once before."
        )
    (clock,) = connection.execute(statements.READ_CLOCK).fetchone().values()
    ahead: Duration = clock - now
    if ahead <= 0:
        return 0
    connection.execute("BEGIN IMMEDIATE")
    for sql in _MOVE_BACK:
        connection.execute(sql, {"now": now, "ahead": ahead})
    for table, columns in NOT_AFTER_NOW:
        for column in columns:
            sql = f"UPDATE {table} SET {column} = ? WHERE {column} > ?"  # noqa: S608 - our own words
            connection.execute(sql, (now, now))
    for record in map(rows.read_trigger, connection.execute(statements.READ_TRIGGERS).fetchall()):
        if record.next_tick is not None and record.next_tick > now:
            tick = next_tick(record)
            connection.execute(statements.SET_NEXT_TICK, (tick, record.trigger_id))
    connection.execute("COMMIT")
    return ahead
