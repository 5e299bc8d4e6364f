"""The questions to the PostgreSQL store, by name. `$1` is the workspace, '' all of them."""

from typing import Final

from schedule_bridge.store.rows import DECISION_COLUMNS, EXECUTION_COLUMNS, HELD_COLUMNS

_EXECUTION: Final = ", ".join(f"e.{column}" for column in EXECUTION_COLUMNS)
_DECISION: Final = ", ".join(f"d.{column}" for column in DECISION_COLUMNS)
_HELD: Final = ", ".join(f"h.{column}" for column in HELD_COLUMNS)
# ruff: noqa: S608 - our own columns

READ_CLOCK: Final = """
SELECT coalesce(max(clock), 0) AS clock FROM leases WHERE $1 = '' OR workspace_id IN ($1, '')
"""
READ_WORKSPACES: Final = """
SELECT * FROM workspaces WHERE $1 IN ('', workspace_id) ORDER BY workspace_id COLLATE "C"
"""
READ_TRIGGERS: Final = """
SELECT * FROM triggers WHERE $1 = '' OR workspace_id = $1 ORDER BY trigger_id COLLATE "C"
"""
READ_HELD: Final = f"""
SELECT {_HELD} FROM held_firings AS h LEFT JOIN triggers AS t USING (trigger_id)
WHERE ($1 = '' OR t.workspace_id = $1) AND h.kind = $2 ORDER BY h.creation_order
"""
READ_ACTIVE: Final = f"""
SELECT {_EXECUTION} FROM executions AS e
WHERE ($1 = '' OR workspace_id = $1) AND ended_at IS NULL ORDER BY creation_order
"""
READ_JOBS_OF_ACTIVE: Final = """
SELECT j.* FROM jobs AS j JOIN executions AS e USING (execution_id)
WHERE ($1 = '' OR e.workspace_id = $1) AND e.ended_at IS NULL ORDER BY j.creation_order
"""
LAST_ORDER: Final = """
SELECT coalesce(greatest(
    (SELECT max(creation_order) FROM executions WHERE $1 = '' OR workspace_id = $1),
    (
        SELECT max(h.creation_order) FROM held_firings AS h LEFT JOIN triggers AS t
        USING (trigger_id) WHERE $1 = '' OR t.workspace_id = $1
    ),
    (
        SELECT max(j.creation_order) FROM jobs AS j JOIN executions AS e
        USING (execution_id) WHERE $1 = '' OR e.workspace_id = $1
    )
), 0) AS last_order
"""
READ_ANSWERS: Final = """
SELECT * FROM idempotency_keys WHERE $1 = '' OR workspace_id = $1 ORDER BY answered_at
"""
# Skips behind a run that is still active, since its trigger last did anything but skip.
READ_STREAKS: Final = """
SELECT d.trigger_id, d.lock_key, e.execution_id, count(*) AS count, min(d.fired_at) AS since
FROM executions AS e JOIN decisions AS d
  ON d.trigger_id = e.trigger_id AND d.lock_key = e.lock_key AND d.number > (
    SELECT number FROM decisions AS other
    WHERE other.trigger_id = e.trigger_id AND other.lock_key = e.lock_key
      AND other.verdict NOT IN ('skipped', 'missed')
    ORDER BY number DESC LIMIT 1
)
WHERE ($1 = '' OR e.workspace_id = $1) AND e.ended_at IS NULL AND d.verdict = 'skipped'
  AND d.reason IN ('active', 'maxConcurrent') AND d.in_the_way::json ->> 0 = e.execution_id
GROUP BY d.trigger_id, d.lock_key, e.execution_id
"""

# history

_OF_WORKSPACE: Final = "($1 = '' OR {0}.workspace_id = $1)"

READ_DECISIONS: Final = f"""
SELECT number, {_DECISION} FROM decisions AS d
WHERE {_OF_WORKSPACE.format("d")}
  AND ($2::text IS NULL OR trigger_id = $2)
  AND ($3::bigint IS NULL OR decided_at >= $3)
  AND (NOT $4 OR verdict <> 'missed')
  AND ($5::bigint IS NULL OR number < $5)
ORDER BY number DESC LIMIT $6
"""
_LISTED: Final = ", ".join(
    "e.number AS creation_order" if column == "creation_order" else f"e.{column}"
    for column in EXECUTION_COLUMNS
)
READ_EXECUTIONS: Final = f"""
SELECT {_LISTED} FROM executions AS e
WHERE {_OF_WORKSPACE.format("e")}
  AND ($2::text IS NULL OR workflow_id = $2)
  AND ($3::text IS NULL OR trigger_id = $3)
  AND ($4::text IS NULL OR state = $4)
  AND ($5::bigint IS NULL OR number < $5)
ORDER BY number DESC LIMIT $6
"""
READ_EXECUTION: Final = f"""
SELECT {_EXECUTION} FROM executions AS e WHERE {_OF_WORKSPACE.format("e")} AND execution_id = $2
"""
READ_JOBS: Final = "SELECT * FROM jobs WHERE execution_id = $1 ORDER BY creation_order"
# One statement for many triggers: of each, what is asked for by the index of its own.
READ_COUNTS: Final = f"""
SELECT trigger_id, kind, sum(decisions)::bigint AS decisions FROM decision_counts AS c
WHERE {_OF_WORKSPACE.format("c")} AND trigger_id = ANY ($2::text[]) AND decisions > 0
GROUP BY trigger_id, kind
"""
READ_LAST_DECISIONS: Final = f"""
SELECT {_DECISION} FROM unnest($2::text[]) AS wanted (trigger_id) CROSS JOIN LATERAL (
    SELECT * FROM decisions AS mine
    WHERE {_OF_WORKSPACE.format("mine")} AND mine.trigger_id = wanted.trigger_id
    ORDER BY number DESC LIMIT 1
) AS d
"""
READ_MISSED: Final = f"""
SELECT m.* FROM unnest($2::text[]) AS wanted (trigger_id) CROSS JOIN LATERAL (
    SELECT * FROM missed_stretches AS mine
    WHERE {_OF_WORKSPACE.format("mine")} AND mine.trigger_id = wanted.trigger_id
    ORDER BY number DESC LIMIT $3
) AS m ORDER BY m.number DESC
"""
READ_RECENT_RUNS: Final = f"""
SELECT e.trigger_id, e.execution_id, e.state AS outcome, e.started_at, e.ended_at
FROM unnest($2::text[]) AS wanted (trigger_id) CROSS JOIN LATERAL (
    SELECT * FROM executions AS mine
    WHERE {_OF_WORKSPACE.format("mine")} AND mine.trigger_id = wanted.trigger_id
      AND ended_at IS NOT NULL AND started_at IS NOT NULL
    ORDER BY number DESC LIMIT $3
) AS e ORDER BY e.number DESC
"""

# where something is

WORKSPACES_OF_TRIGGERS: Final = """
SELECT trigger_id, workspace_id FROM triggers WHERE trigger_id = ANY ($1::text[])
"""
WORKSPACE_OF_EXECUTION: Final = "SELECT workspace_id FROM executions WHERE execution_id = $1"
WORKSPACE_OF_ANSWER: Final = """
SELECT workspace_id FROM idempotency_keys WHERE key = $1 ORDER BY answered_at DESC LIMIT 1
"""
READ_TRIGGER_IDS: Final = """
SELECT trigger_id, workspace_id FROM triggers
WHERE ($1 = '' OR workspace_id = $1) AND trigger_id > $2 ORDER BY trigger_id LIMIT $3
"""
PRUNE: Final = "SELECT prune_step($1, $2, $3, $4, $5, $6, $7) AS gone"
FREE_WORKSPACES: Final = """
SELECT workspace_id FROM leases
WHERE workspace_id > $1 AND expires_at <= clock_timestamp() ORDER BY workspace_id LIMIT 1
"""
AGREE: Final = "SELECT agree_on_token($1) AS agreed"
