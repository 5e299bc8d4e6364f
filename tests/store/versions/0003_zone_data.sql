BEGIN TRANSACTION;
CREATE TABLE decision_counts (
    trigger_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    decisions INTEGER NOT NULL,
    PRIMARY KEY (trigger_id, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO "decision_counts" VALUES('t','started',2);
INSERT INTO "decision_counts" VALUES('t','started.active',1);
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
INSERT INTO "decisions" VALUES(1,'f1','started',NULL,'started.','t','w','default','','run1',0,1,'[]',NULL);
INSERT INTO "decisions" VALUES(2,'f2','started','active','started.','t','w','default','',NULL,0,0,'["run2"]',NULL);
INSERT INTO "decisions" VALUES(3,'f3','started',NULL,'started.','t','w','default','',NULL,0,0,'[]','f2');
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
INSERT INTO "executions" VALUES('run1','t','w','default',NULL,'','f1',NULL,'manual',5,NULL,1,1,1,'completed',NULL,NULL,0,0,NULL,NULL,6,NULL,NULL,NULL,8,NULL,0);
INSERT INTO "executions" VALUES('run2','t','w','default',NULL,'k','f2',NULL,'manual',5,X'81A46465657081A2657201',2,2,2,'running',NULL,NULL,0,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "executions" VALUES('run3','t','w','default',NULL,'','f3','theirs','manual',5,NULL,3,3,3,'onHold',NULL,NULL,0,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0);
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
INSERT INTO "held_firings" VALUES('t','k','buffered','f5','mine','manual',5,X'81A1619301C0C4056279746573',5,0,NULL,0);
INSERT INTO "held_firings" VALUES('t','k','delayed','f5','mine','manual',5,X'81A1619301C0C4056279746573',5,0,90,4);
CREATE TABLE idempotency_keys (
    workspace_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    answer BLOB NOT NULL,
    answered_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, key)
) STRICT, WITHOUT ROWID;
INSERT INTO "idempotency_keys" VALUES('default','key',X'626F6479',X'73616964',5);
CREATE TABLE jobs (
    execution_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    creation_order INTEGER NOT NULL,
    name TEXT NOT NULL,
    claimed INTEGER NOT NULL,
    ended_as TEXT,
    PRIMARY KEY (execution_id, job_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "jobs" VALUES('run2','j',6,'build',1,NULL);
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
INSERT INTO "missed_stretches" VALUES(1,'t','default',1,2,2,'late',1);
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "settings" VALUES('clock',1000);
CREATE TABLE triggers (
    trigger_id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    client_id TEXT,
    configuration BLOB NOT NULL,
    paused_since INTEGER,
    detached_since INTEGER,
    anchor INTEGER NOT NULL,
    next_tick INTEGER
, zone_data TEXT) STRICT, WITHOUT ROWID;
INSERT INTO "triggers" VALUES('t','default','c',X'82A9747269676765724964A174A87363686564756C6582A46B696E64A8696E74657276616CA565766572793C',7,NULL,0,60,NULL);
INSERT INTO "triggers" VALUES('u','default',NULL,X'81A9747269676765724964A175',NULL,9,0,NULL,NULL);
CREATE TABLE workspaces (
    workspace_id TEXT PRIMARY KEY,
    max_concurrent_executions INTEGER NOT NULL,
    fencing_token INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "workspaces" VALUES('default',5,17);
INSERT INTO "workspaces" VALUES('w',0,3);
CREATE INDEX executions_active ON executions (creation_order) WHERE ended_at IS NULL;
CREATE INDEX executions_by_creation ON executions (creation_order);
CREATE INDEX executions_by_trigger ON executions (trigger_id, creation_order);
CREATE INDEX decisions_by_trigger ON decisions (trigger_id, number);
CREATE INDEX decisions_merged ON decisions (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX missed_by_trigger ON missed_stretches (trigger_id, number);
CREATE INDEX idempotency_by_age ON idempotency_keys (answered_at);
CREATE INDEX decisions_by_age ON decisions (decided_at);
CREATE INDEX executions_ended ON executions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX missed_by_age ON missed_stretches (recorded_at);
CREATE TRIGGER decision_made AFTER INSERT ON decisions BEGIN
    INSERT INTO decision_counts
    VALUES (new.trigger_id, new.verdict || coalesce('.' || new.reason, ''), 1)
    ON CONFLICT DO UPDATE SET decisions = decisions + 1;
END;
CREATE TRIGGER decision_changed AFTER UPDATE OF verdict, reason ON decisions BEGIN
    UPDATE decision_counts SET decisions = decisions - 1
    WHERE trigger_id = old.trigger_id AND kind = old.verdict || coalesce('.' || old.reason, '');
    INSERT INTO decision_counts
    VALUES (new.trigger_id, new.verdict || coalesce('.' || new.reason, ''), 1)
    ON CONFLICT DO UPDATE SET decisions = decisions + 1;
END;
CREATE TRIGGER decision_pruned AFTER DELETE ON decisions BEGIN
    UPDATE decision_counts SET decisions = decisions - 1
    WHERE trigger_id = old.trigger_id AND kind = old.verdict || coalesce('.' || old.reason, '');
    DELETE FROM decision_counts
    WHERE trigger_id = old.trigger_id AND kind = old.verdict || coalesce('.' || old.reason, '')
        AND decisions <= 0;
END;
CREATE TRIGGER execution_pruned AFTER DELETE ON executions BEGIN
    DELETE FROM jobs WHERE execution_id = old.execution_id;
END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('decisions',3);
INSERT INTO "sqlite_sequence" VALUES('missed_stretches',1);
COMMIT;
PRAGMA user_version = 3;
