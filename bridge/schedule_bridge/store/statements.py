"""The SQL of the SQLite store, by name."""

from schedule_bridge.store.rows import (
    DECISION_COLUMNS,
    EXECUTION_CHANGES,
    EXECUTION_COLUMNS,
    HELD_COLUMNS,
)

_EXECUTION = ", ".join(EXECUTION_COLUMNS)
_DECISION = ", ".join(DECISION_COLUMNS)
_HELD = ", ".join(HELD_COLUMNS)


def _marks(columns: tuple[str, ...]) -> str:
    return ", ".join("?" * len(columns))


def _new(columns: tuple[str, ...]) -> str:
    return ", ".join(f"{column} = excluded.{column}" for column in columns)


# Engine time never goes back, whatever a batch says.
SET_CLOCK = """
INSERT INTO settings (name, value) VALUES ('clock', ?)
ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)
"""
# The latest decision is of that instant or a later one, and is not written with the clock.
READ_CLOCK = """
SELECT max(
    coalesce((SELECT value FROM settings WHERE name = 'clock'), 0),
    coalesce((SELECT max(decided_at) FROM decisions), 0)
) AS value
"""

SET_WORKSPACE = "INSERT OR REPLACE INTO workspaces VALUES (?, ?, ?)"
READ_WORKSPACES = "SELECT * FROM workspaces ORDER BY workspace_id"

SET_TRIGGER = "INSERT OR REPLACE INTO triggers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
DELETE_TRIGGER = "DELETE FROM triggers WHERE trigger_id = ?"
SET_NEXT_TICK = "UPDATE triggers SET next_tick = ? WHERE trigger_id = ?"
READ_TRIGGERS = "SELECT * FROM triggers ORDER BY trigger_id"

SET_HELD = f"INSERT OR REPLACE INTO held_firings ({_HELD}) VALUES ({_marks(HELD_COLUMNS)})"  # noqa: S608 - our own columns
DELETE_HELD = "DELETE FROM held_firings WHERE trigger_id = ? AND lock_key = ? AND kind = ?"
READ_ALL_HELD = f"SELECT {_HELD} FROM held_firings"  # noqa: S608 - our own columns
READ_HELD = f"SELECT {_HELD} FROM held_firings WHERE kind = ? ORDER BY creation_order"  # noqa: S608 - our own columns

# A row that is replaced is another one for each index; one that changes in place is so only for
# those of the columns that are named, so the end has a statement of its own.
SET_ACTIVE_EXECUTION = f"""
INSERT INTO executions ({_EXECUTION}) VALUES ({_marks(EXECUTION_COLUMNS)})
ON CONFLICT (execution_id) DO UPDATE SET {_new(EXECUTION_CHANGES)}
"""  # noqa: S608 - our own columns
SET_ENDED_EXECUTION = f"{SET_ACTIVE_EXECUTION}, ended_at = excluded.ended_at"
READ_ACTIVE = f"SELECT {_EXECUTION} FROM executions WHERE ended_at IS NULL ORDER BY creation_order"  # noqa: S608 - our own columns
READ_EXECUTION = f"SELECT {_EXECUTION} FROM executions WHERE execution_id = ?"  # noqa: S608 - our own columns
READ_EXECUTIONS = f"""
SELECT {_EXECUTION} FROM executions
WHERE (:workspace_id IS NULL OR workspace_id = :workspace_id)
  AND (:workflow_id IS NULL OR workflow_id = :workflow_id)
  AND (:trigger_id IS NULL OR trigger_id = :trigger_id)
  AND (:state IS NULL OR state = :state)
  AND (:before IS NULL OR creation_order < :before)
ORDER BY creation_order DESC LIMIT :limit
"""  # noqa: S608 - our own columns
# One statement for many triggers: of each, its latest runs by the index of its own.
READ_RECENT_RUNS = """
SELECT e.trigger_id, e.execution_id, e.state AS outcome, e.started_at, e.ended_at
FROM json_each(?) AS wanted JOIN executions AS e ON e.rowid IN (
    SELECT rowid FROM executions
    WHERE trigger_id = wanted.value AND ended_at IS NOT NULL AND started_at IS NOT NULL
    ORDER BY creation_order DESC LIMIT ?
)
ORDER BY e.creation_order DESC
"""
LAST_ORDER = """
SELECT max(
    (SELECT coalesce(max(creation_order), 0) FROM executions),
    (SELECT coalesce(max(creation_order), 0) FROM held_firings),
    (SELECT coalesce(max(creation_order), 0) FROM jobs)
)
"""

SET_JOB = "INSERT OR REPLACE INTO jobs VALUES (?, ?, ?, ?, ?, ?)"
READ_JOBS = "SELECT * FROM jobs WHERE execution_id = ? ORDER BY creation_order"
READ_JOBS_OF_ACTIVE = """
SELECT jobs.* FROM jobs JOIN executions USING (execution_id)
WHERE executions.ended_at IS NULL ORDER BY jobs.creation_order
"""

# When a firing came is kept from its first decision.
SET_DECISION = f"""
INSERT INTO decisions ({_DECISION}) VALUES ({_marks(DECISION_COLUMNS)})
ON CONFLICT (firing_id) DO UPDATE SET
    verdict = excluded.verdict, reason = excluded.reason, message = excluded.message,
    workflow_id = excluded.workflow_id, execution_id = excluded.execution_id,
    decided_at = excluded.decided_at, in_the_way = excluded.in_the_way,
    merged_into = excluded.merged_into
"""  # noqa: S608 - our own columns
DROP_MERGED = """
WITH RECURSIVE joined (firing_id) AS (
    SELECT firing_id FROM decisions WHERE merged_into = :firing_id
    UNION
    SELECT d.firing_id FROM decisions AS d JOIN joined AS j ON d.merged_into = j.firing_id
)
UPDATE decisions SET verdict = 'dropped', reason = :reason, message = :message, decided_at = :at
WHERE firing_id IN (SELECT firing_id FROM joined)
"""
READ_DECISIONS = f"""
SELECT number, {_DECISION} FROM decisions
WHERE (:workspace_id IS NULL OR workspace_id = :workspace_id)
  AND (:trigger_id IS NULL OR trigger_id = :trigger_id)
  AND (:since IS NULL OR decided_at >= :since)
  AND (NOT :firings_only OR verdict <> 'missed')
  AND (:before IS NULL OR number < :before)
ORDER BY number DESC LIMIT :limit
"""  # noqa: S608 - our own columns
# Skips behind a run that is still active, since its trigger last did anything but skip.
READ_STREAKS = """
SELECT d.trigger_id, d.lock_key, e.execution_id, count(*) AS count, min(d.fired_at) AS since
FROM executions AS e JOIN decisions AS d
  ON d.trigger_id = e.trigger_id AND d.lock_key = e.lock_key AND d.number > (
    SELECT number FROM decisions AS other
    WHERE other.trigger_id = e.trigger_id AND other.lock_key = e.lock_key
      AND other.verdict NOT IN ('skipped', 'missed')
    ORDER BY number DESC LIMIT 1
)
WHERE e.ended_at IS NULL AND d.verdict = 'skipped' AND d.reason IN ('active', 'maxConcurrent')
  AND json_extract(d.in_the_way, '$[0]') = e.execution_id
GROUP BY e.execution_id
"""
READ_COUNTS = """
SELECT trigger_id, kind, decisions FROM json_each(?) AS wanted
JOIN decision_counts ON trigger_id = wanted.value WHERE decisions > 0
"""
READ_LAST_DECISIONS = f"""
SELECT {_DECISION} FROM json_each(?) AS wanted JOIN decisions ON number = (
    SELECT max(number) FROM decisions WHERE trigger_id = wanted.value
)
"""  # noqa: S608 - our own columns

ADD_MISSED = """
INSERT INTO missed_stretches
    (trigger_id, workspace_id, first_tick, last_tick, ticks, reason, recorded_at)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""
READ_MISSED = """
SELECT m.* FROM json_each(?) AS wanted JOIN missed_stretches AS m ON m.number IN (
    SELECT number FROM missed_stretches WHERE trigger_id = wanted.value
    ORDER BY number DESC LIMIT ?
)
ORDER BY m.number DESC
"""

SET_ANSWER = "INSERT OR REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?, ?)"
DELETE_ANSWER = "DELETE FROM idempotency_keys WHERE workspace_id = ? AND key = ?"
READ_ANSWERS = "SELECT * FROM idempotency_keys ORDER BY answered_at"

# Each finds its rows by an index: a step takes as long as what it deletes, not as history is.
PRUNE = (
    """
    DELETE FROM decisions WHERE number IN (
        SELECT number FROM decisions WHERE decided_at < :before ORDER BY decided_at LIMIT :step
    )
    """,
    """
    DELETE FROM decisions WHERE number IN (
        SELECT number FROM decisions
        WHERE number <= (SELECT coalesce(max(number), 0) FROM decisions) - :keep
        ORDER BY number LIMIT :step
    )
    """,
    """
    DELETE FROM executions WHERE rowid IN (
        SELECT rowid FROM executions WHERE ended_at < :before ORDER BY ended_at LIMIT :step
    )
    """,
    """
    DELETE FROM executions WHERE rowid IN (
        SELECT rowid FROM executions
        WHERE ended_at IS NOT NULL
          AND creation_order <= (SELECT coalesce(max(creation_order), 0) FROM executions) - :keep
        ORDER BY creation_order LIMIT :step
    )
    """,
    """
    DELETE FROM missed_stretches WHERE number IN (
        SELECT number FROM missed_stretches
        WHERE recorded_at < :before ORDER BY recorded_at LIMIT :step
    )
    """,
    """
    DELETE FROM missed_stretches WHERE number IN (
        SELECT number FROM missed_stretches
        WHERE number <= (SELECT coalesce(max(number), 0) FROM missed_stretches) - :keep
        ORDER BY number LIMIT :step
    )
    """,
    # As if nobody had spoken of them: without a limit, and nothing has ever started in them.
    """
    DELETE FROM workspaces WHERE workspace_id IN (
        SELECT workspace_id FROM workspaces
        WHERE max_concurrent_executions = 0 AND fencing_token = 0 LIMIT :step
    )
    """,
    """
    DELETE FROM idempotency_keys WHERE (workspace_id, key) IN (
        SELECT workspace_id, key FROM idempotency_keys
        WHERE answered_at < :keys_before ORDER BY answered_at LIMIT :step
    )
    """,
)
