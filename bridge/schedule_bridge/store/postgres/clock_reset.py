"""Engine time of all workspaces of a database set back to the wall clock (section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schedule_bridge.store import rows
from schedule_bridge.store.clock_reset import NOT_AFTER_NOW
from schedule_bridge.store.postgres import statements
from schedule_bridge.store.postgres.faults import FAULTS, told
from schedule_bridge.store.postgres.leases import EVERYTHING
from schedule_bridge.store.postgres.pools import connect
from schedule_bridge.store.postgres.whole import WholePostgresStore

if TYPE_CHECKING:
    from collections.abc import Callable

    import asyncpg

    from schedule_bridge.core.model import Duration, Instant
    from schedule_bridge.store.batch import TriggerRecord

# Each workspace has a clock of its own, and none is behind that of the whole store.
_AHEAD: Final = """
WITH ahead AS (
    SELECT mine.workspace_id, greatest(mine.clock, whole.clock) - $1 AS by
    FROM leases AS mine JOIN leases AS whole ON whole.workspace_id = ''
)
"""
_MOVE_BACK: Final = (
    f"""
    {_AHEAD} UPDATE executions SET deadline = deadline - by, paused_at = paused_at - by
    FROM ahead WHERE ahead.workspace_id = executions.workspace_id AND by > 0 AND ended_at IS NULL
    """,  # noqa: S608 - our own words
    f"""
    {_AHEAD} UPDATE held_firings SET ready_at = ready_at - by
    FROM ahead JOIN triggers USING (workspace_id)
    WHERE triggers.trigger_id = held_firings.trigger_id AND by > 0
    """,  # noqa: S608 - our own words
    "UPDATE leases SET clock = $1 WHERE clock > $1",
)
_SET_NEXT_TICK: Final = "UPDATE triggers SET next_tick = $1 WHERE trigger_id = $2"
_HOLD: Final = "SELECT hold_fast($1, $2, $3, 0)"


async def reset_database_clock(
    url: str, now: Instant, next_tick: Callable[[TriggerRecord], Instant | None]
) -> Duration:
    """As `reset_clock` does it in a file; by how much at the most.

    Raises:
        StoreError: a bridge has the store, or it cannot be reached or written.
    """
    store = WholePostgresStore(url)
    await store.open()
    try:
        connection = await connect(url, seconds=None)
        try:
            async with connection.transaction():
                ahead = await _reset(connection, now, next_tick)
                await connection.execute(_HOLD, EVERYTHING, store.owner, store.epoch)
        finally:
            connection.terminate()
    except FAULTS as error:
        raise told(error, store.name) from error
    finally:
        await store.close()
    return ahead


async def _reset(
    connection: asyncpg.Connection,
    now: Instant,
    next_tick: Callable[[TriggerRecord], Instant | None],
) -> Duration:
    clock: Instant = await connection.fetchval(statements.READ_CLOCK, EVERYTHING)
    if clock <= now:
        return 0
    for sql in _MOVE_BACK:
        await connection.execute(sql, now)
    for table, columns in NOT_AFTER_NOW:
        for column in columns:
            sql = f"UPDATE {table} SET {column} = $1 WHERE {column} > $1"  # noqa: S608 - our own
            await connection.execute(sql, now)
    found = await connection.fetch(statements.READ_TRIGGERS, EVERYTHING)
    for record in (rows.read_trigger(dict(row)) for row in found):
        if record.next_tick is not None and record.next_tick > now:
            await connection.execute(_SET_NEXT_TICK, next_tick(record), record.trigger_id)
    return clock - now
