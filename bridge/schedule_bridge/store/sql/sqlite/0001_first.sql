-- The bridge's durable truth. Instants are microseconds since the Unix epoch, UTC.

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workspaces (
    workspace_id TEXT PRIMARY KEY,
    max_concurrent_executions INTEGER NOT NULL,
    fencing_token INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE triggers (
    trigger_id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    client_id TEXT,
    configuration BLOB NOT NULL,
    paused_since INTEGER,
    detached_since INTEGER,
    anchor INTEGER NOT NULL,
    next_tick INTEGER
) STRICT, WITHOUT ROWID;

-- Firings that are held: delayed (ready_at is set) or buffered (it is null).
CREATE TABLE held_firings (
    trigger_id TEXT NOT NULL,
    lock_key TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('delayed', 'buffered')),
    firing_id TEXT NOT NULL,
    firing_key TEXT,
    source TEXT NOT NULL,
    priority INTEGER NOT NULL,
    payload BLOB,
    scheduled_at INTEGER NOT NULL,
    merged_firings INTEGER NOT NULL,
    ready_at INTEGER,
    creation_order INTEGER NOT NULL,
    PRIMARY KEY (trigger_id, lock_key, kind)
) STRICT, WITHOUT ROWID;

-- The payload is deleted when the execution ends.
CREATE TABLE executions (
    execution_id TEXT PRIMARY KEY,
    trigger_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    client_id TEXT,
    lock_key TEXT NOT NULL,
    firing_id TEXT NOT NULL,
    firing_key TEXT,
    source TEXT NOT NULL,
    priority INTEGER NOT NULL,
    payload BLOB,
    scheduled_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    creation_order INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    error TEXT,
    merged_firings INTEGER NOT NULL,
    hold_order INTEGER NOT NULL,
    fencing_token INTEGER,
    pending_at INTEGER,
    started_at INTEGER,
    session_id TEXT,
    deadline INTEGER,
    paused_at INTEGER,
    ended_at INTEGER,
    run_limit INTEGER,
    halted INTEGER NOT NULL
) STRICT;

CREATE INDEX executions_active ON executions (creation_order) WHERE ended_at IS NULL;
CREATE INDEX executions_by_creation ON executions (creation_order);
CREATE INDEX executions_by_trigger ON executions (trigger_id, creation_order);

-- Pieces of an execution's work; kept as long as the execution is.
CREATE TABLE jobs (
    execution_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    creation_order INTEGER NOT NULL,
    name TEXT NOT NULL,
    claimed INTEGER NOT NULL,
    ended_as TEXT,
    PRIMARY KEY (execution_id, job_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    firing_id TEXT NOT NULL UNIQUE,
    verdict TEXT NOT NULL,
    reason TEXT,
    message TEXT NOT NULL,
    trigger_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    lock_key TEXT NOT NULL,
    execution_id TEXT,
    decided_at INTEGER NOT NULL,
    fired_at INTEGER NOT NULL,
    in_the_way TEXT NOT NULL,
    merged_into TEXT
) STRICT;

CREATE INDEX decisions_by_trigger ON decisions (trigger_id, number);
CREATE INDEX decisions_merged ON decisions (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE missed_stretches (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    trigger_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    first_tick INTEGER NOT NULL,
    last_tick INTEGER NOT NULL,
    ticks INTEGER NOT NULL,
    reason TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT;

CREATE INDEX missed_by_trigger ON missed_stretches (trigger_id, number);

-- What was answered to a request that named itself, so that its repeat gets the same answer.
CREATE TABLE idempotency_keys (
    workspace_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    answer BLOB NOT NULL,
    answered_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_by_age ON idempotency_keys (answered_at);
