"""What rows of a store must not say together, as questions to it. A sound store answers nothing.

Each question gives one text a row: what contradicts what. What `NOTES` ask for may be so in a
sound store, and is worth knowing.
"""

from __future__ import annotations

from typing import Final

_STARTED: Final = "('pending', 'running', 'paused')"
_TERMINAL: Final = "('completed', 'failed', 'cancelled', 'expired', 'interrupted')"

CONTRADICTIONS: Final = (
    # R15: a lock key has one holder in its workspace.
    """
    SELECT 'runs ' || group_concat(execution_id, ', ') || ' all hold the lock key ' || lock_key
        || ' of workspace ' || workspace_id
    FROM executions
    WHERE ended_at IS NULL AND lock_key <> '' AND state <> 'queued'
    GROUP BY workspace_id, lock_key HAVING count(*) > 1
    """,
    # R19
    """
    SELECT 'runs ' || group_concat(execution_id, ', ') || ' all wait in one scope, workflow '
        || workflow_id || ' of workspace ' || workspace_id
    FROM executions WHERE ended_at IS NULL AND state = 'queued'
    GROUP BY workspace_id, workflow_id, lock_key HAVING count(*) > 1
    """,
    # R14: what waits goes with its trigger.
    """
    SELECT 'run ' || execution_id || ' is ' || state || ', and its trigger ' || trigger_id
        || ' is not there'
    FROM executions
    WHERE ended_at IS NULL AND state IN ('queued', 'onHold')
        AND trigger_id NOT IN (SELECT trigger_id FROM triggers)
    """,
    """
    SELECT 'a ' || kind || ' firing is held for trigger ' || trigger_id || ', which is not there'
    FROM held_firings WHERE trigger_id NOT IN (SELECT trigger_id FROM triggers)
    """,
    # R17: the token only ever rises.
    """
    SELECT 'run ' || execution_id || ' has the fencing token ' || e.fencing_token
        || ', above that of workspace ' || workspace_id || ' ('
        || coalesce(CAST(w.fencing_token AS TEXT), 'none') || ')'
    FROM executions AS e LEFT JOIN workspaces AS w USING (workspace_id)
    WHERE e.fencing_token > coalesce(w.fencing_token, 0)
    """,
    f"""
    SELECT 'run ' || execution_id || ' has started without a fencing token'
    FROM executions WHERE state IN {_STARTED} AND fencing_token IS NULL
    """,  # noqa: S608 - our own words
    f"""
    SELECT 'run ' || execution_id || ' is ' || state || CASE
        WHEN ended_at IS NULL THEN ', and has no end' ELSE ', and has an end' END
    FROM executions WHERE (state IN {_TERMINAL}) <> (ended_at IS NOT NULL)
    """,  # noqa: S608 - our own words
    # Section 7: a payload is deleted with the end.
    """
    SELECT 'run ' || execution_id || ' has ended, and its payload is still there'
    FROM executions WHERE ended_at IS NOT NULL AND payload IS NOT NULL
    """,
)

NOTES: Final = (
    # R16: lowering a limit stops nothing.
    f"""
    SELECT 'Workspace ' || workspace_id || ' has ' || count(*) || ' started runs, over its limit '
        || 'of ' || max_concurrent_executions || '. That is so after the limit was lowered.'
    FROM executions JOIN workspaces USING (workspace_id)
    WHERE state IN {_STARTED} AND max_concurrent_executions > 0
    GROUP BY workspace_id, max_concurrent_executions
    HAVING count(*) > max_concurrent_executions
    """,  # noqa: S608 - our own words
    f"""
    SELECT 'Run ' || execution_id || ' goes on after its trigger ' || trigger_id || ' was removed.'
    FROM executions
    WHERE state IN {_STARTED} AND trigger_id NOT IN (SELECT trigger_id FROM triggers)
    """,  # noqa: S608 - our own words
)

PASSED_TICKS: Final = """
SELECT count(*) FROM triggers WHERE next_tick < ? AND detached_since IS NULL
"""
