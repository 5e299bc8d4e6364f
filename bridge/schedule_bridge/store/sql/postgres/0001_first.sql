-- The bridge's durable truth for several bridges. Instants are microseconds since the Unix epoch,
-- UTC; when a lease runs out is told by the clock of the database alone.

-- Names are compared by code point, whatever the locale of the database is or becomes.
CREATE DOMAIN word AS text COLLATE "C";

-- Who owns a workspace. The row of the workspace '' stands for the whole store, and excludes all
-- others. Every write locks its row, so that none overtakes a change of the owner. `clock` is
-- engine time at the owner's last commit.
CREATE TABLE leases (
    workspace_id word PRIMARY KEY,
    owner text NOT NULL DEFAULT '',
    address text NOT NULL DEFAULT '',
    epoch bigint NOT NULL DEFAULT 0,
    expires_at timestamptz NOT NULL DEFAULT '-infinity',
    clock bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

INSERT INTO leases (workspace_id) VALUES ('');

CREATE TABLE settings (
    name word PRIMARY KEY,
    value bytea NOT NULL
);

CREATE TABLE workspaces (
    workspace_id word PRIMARY KEY,
    max_concurrent_executions bigint NOT NULL,
    fencing_token bigint NOT NULL
) WITH (fillfactor = 50);

-- The configuration goes aside even when it is small: a tick rewrites the row without it.
CREATE TABLE triggers (
    trigger_id word PRIMARY KEY,
    workspace_id word NOT NULL,
    client_id word,
    configuration bytea NOT NULL,
    paused_since bigint,
    detached_since bigint,
    anchor bigint NOT NULL,
    next_tick bigint,
    zone_data word
) WITH (toast_tuple_target = 128);

CREATE INDEX triggers_by_workspace ON triggers (workspace_id, next_tick);

-- Firings that are held: delayed (ready_at is set) or buffered (it is null).
CREATE TABLE held_firings (
    trigger_id word NOT NULL,
    lock_key word NOT NULL,
    kind word NOT NULL CHECK (kind IN ('delayed', 'buffered')),
    firing_id word NOT NULL,
    firing_key word,
    source text NOT NULL,
    priority bigint NOT NULL,
    payload bytea,
    scheduled_at bigint NOT NULL,
    merged_firings bigint NOT NULL,
    ready_at bigint,
    creation_order bigint NOT NULL,
    PRIMARY KEY (trigger_id, lock_key, kind)
);

-- The payload is deleted when the execution ends. `creation_order` counts within the owner's
-- workspaces, `number` over all of them.
CREATE TABLE executions (
    execution_id word PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    trigger_id word NOT NULL,
    workflow_id word NOT NULL,
    workspace_id word NOT NULL,
    client_id word,
    lock_key word NOT NULL,
    firing_id word NOT NULL,
    firing_key word,
    source text NOT NULL,
    priority bigint NOT NULL,
    payload bytea,
    scheduled_at bigint NOT NULL,
    created_at bigint NOT NULL,
    creation_order bigint NOT NULL,
    state text NOT NULL,
    reason text,
    error text,
    merged_firings bigint NOT NULL,
    hold_order bigint NOT NULL,
    fencing_token bigint,
    pending_at bigint,
    started_at bigint,
    session_id word,
    deadline bigint,
    paused_at bigint,
    ended_at bigint,
    run_limit bigint,
    halted bigint NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX executions_active ON executions (workspace_id) WHERE ended_at IS NULL;
CREATE INDEX executions_ended ON executions (workspace_id, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX executions_by_creation ON executions (workspace_id, creation_order);
CREATE INDEX executions_by_number ON executions (number);
CREATE INDEX executions_by_trigger ON executions (trigger_id, number);

-- Pieces of an execution's work; kept as long as the execution is.
CREATE TABLE jobs (
    execution_id word NOT NULL REFERENCES executions ON DELETE CASCADE,
    job_id word NOT NULL,
    creation_order bigint NOT NULL,
    name text NOT NULL,
    claimed bigint NOT NULL,
    ended_as text,
    PRIMARY KEY (execution_id, job_id)
);

CREATE TABLE decisions (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    firing_id word NOT NULL UNIQUE,
    verdict text NOT NULL,
    reason text,
    message text NOT NULL,
    trigger_id word NOT NULL,
    workflow_id word NOT NULL,
    workspace_id word NOT NULL,
    lock_key word NOT NULL,
    execution_id word,
    decided_at bigint NOT NULL,
    fired_at bigint NOT NULL,
    in_the_way text NOT NULL,
    merged_into word
);

CREATE INDEX decisions_by_workspace ON decisions (workspace_id, number);
CREATE INDEX decisions_by_trigger ON decisions (trigger_id, number);
CREATE INDEX decisions_by_age ON decisions (workspace_id, decided_at);
CREATE INDEX decisions_merged ON decisions (merged_into) WHERE merged_into IS NOT NULL;

-- How many decisions of each kind history holds for a trigger; `kind` is "verdict.reason".
CREATE TABLE decision_counts (
    workspace_id word NOT NULL,
    trigger_id word NOT NULL,
    kind word NOT NULL,
    decisions bigint NOT NULL,
    PRIMARY KEY (workspace_id, trigger_id, kind)
) WITH (fillfactor = 50);

CREATE INDEX decision_counts_by_trigger ON decision_counts (trigger_id);

CREATE TABLE missed_stretches (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trigger_id word NOT NULL,
    workspace_id word NOT NULL,
    first_tick bigint NOT NULL,
    last_tick bigint NOT NULL,
    ticks bigint NOT NULL,
    reason text NOT NULL,
    recorded_at bigint NOT NULL
);

CREATE INDEX missed_by_workspace ON missed_stretches (workspace_id, number);
CREATE INDEX missed_by_trigger ON missed_stretches (trigger_id, number);
CREATE INDEX missed_by_age ON missed_stretches (workspace_id, recorded_at);

-- What was answered to a request that named itself, so that its repeat gets the same answer.
CREATE TABLE idempotency_keys (
    workspace_id word NOT NULL,
    key word NOT NULL,
    fingerprint bytea NOT NULL,
    answer bytea NOT NULL,
    answered_at bigint NOT NULL,
    PRIMARY KEY (workspace_id, key)
);

CREATE INDEX idempotency_by_age ON idempotency_keys (workspace_id, answered_at);
CREATE INDEX idempotency_by_key ON idempotency_keys (key);


-- Counts follow decisions, a statement at a time.

CREATE FUNCTION kind_of(verdict text, reason text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT verdict || coalesce('.' || reason, '') $$;

CREATE FUNCTION count_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO decision_counts AS known
    SELECT workspace_id, trigger_id, kind_of(verdict, reason), count(*) FROM made GROUP BY 1, 2, 3
    ON CONFLICT (workspace_id, trigger_id, kind) DO UPDATE
    SET decisions = known.decisions + excluded.decisions;
    RETURN NULL;
END $$;

CREATE FUNCTION uncount_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE decision_counts AS known SET decisions = known.decisions - fewer.decisions
    FROM (
        SELECT workspace_id, trigger_id, kind_of(verdict, reason) AS kind, count(*) AS decisions
        FROM gone GROUP BY 1, 2, 3
    ) AS fewer
    WHERE known.workspace_id = fewer.workspace_id AND known.trigger_id = fewer.trigger_id
        AND known.kind = fewer.kind;
    DELETE FROM decision_counts AS known USING gone
    WHERE known.workspace_id = gone.workspace_id AND known.trigger_id = gone.trigger_id
        AND known.decisions <= 0;
    RETURN NULL;
END $$;

CREATE TRIGGER decision_made AFTER INSERT ON decisions
REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_made();
-- In the order of their names: what it was is taken off, what it is now is added.
CREATE TRIGGER decision_changed_from AFTER UPDATE ON decisions
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION uncount_gone();
CREATE TRIGGER decision_changed_to AFTER UPDATE ON decisions
REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_made();
CREATE TRIGGER decision_pruned AFTER DELETE ON decisions
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION uncount_gone();


-- Leases. SB001: the lease is not the caller's any more.

CREATE FUNCTION take_lease(p_workspace text, p_owner text, p_address text, p_seconds float8)
RETURNS TABLE (owner text, address text, epoch bigint, mine boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    in_the_way leases;
BEGIN
    -- The row of the whole store first, whoever comes, so that no two wait for each other. To lock
    -- a row waits for the writes that are under way in it, and keeps those that come later out.
    IF p_workspace = '' THEN
        PERFORM FROM leases ORDER BY workspace_id FOR UPDATE;
        SELECT * INTO in_the_way FROM leases
        WHERE expires_at > clock_timestamp() AND (workspace_id <> '' OR owner <> p_owner) LIMIT 1;
    ELSE
        PERFORM FROM leases WHERE workspace_id = '' FOR SHARE;
        INSERT INTO leases (workspace_id) VALUES (p_workspace) ON CONFLICT DO NOTHING;
        PERFORM FROM leases WHERE workspace_id = p_workspace FOR UPDATE;
        SELECT * INTO in_the_way FROM leases
        WHERE expires_at > clock_timestamp()
            AND (
                workspace_id = '' OR workspace_id = p_workspace AND owner <> p_owner
                AND NOT (owner = '' AND address = p_address)  -- it is kept for who is there
            ) LIMIT 1;
    END IF;
    IF in_the_way.workspace_id IS NOT NULL THEN
        RETURN QUERY SELECT in_the_way.owner, in_the_way.address, in_the_way.epoch, false;
        RETURN;
    END IF;
    RETURN QUERY
    UPDATE leases AS it SET owner = p_owner, address = p_address, epoch = it.epoch + 1,
        expires_at = clock_timestamp() + make_interval(secs => p_seconds)
    WHERE workspace_id = p_workspace RETURNING it.owner, it.address, it.epoch, true;
END $$;

CREATE FUNCTION hold_fast(p_workspace text, p_owner text, p_epoch bigint, p_clock bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE leases SET clock = greatest(clock, p_clock)
    WHERE workspace_id = p_workspace AND owner = p_owner AND epoch = p_epoch
        AND expires_at > clock_timestamp();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease on workspace "%" is not held any more', p_workspace
        USING ERRCODE = 'SB001';
    END IF;
END $$;

-- All bridges of a store have one token, which is kept as its hash. While none of them runs, the
-- next one brings another.
CREATE FUNCTION agree_on_token(p_hash bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM leases WHERE workspace_id = '' FOR UPDATE;
    IF EXISTS (SELECT FROM settings WHERE name = 'token' AND value <> p_hash) AND EXISTS (
        SELECT FROM leases WHERE expires_at > clock_timestamp()
    ) THEN
        RETURN false;
    END IF;
    INSERT INTO settings VALUES ('token', p_hash)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value;
    RETURN true;
END $$;


-- One commit's worth of changes. Rows come as JSON, a list of objects for each kind, or null where
-- there are none; bytes come beside them, and a row names their place, counted from 1.
-- SB002: a trigger belongs to another workspace.

CREATE FUNCTION append_batch(
    p_workspace text, p_owner text, p_epoch bigint, p_clock bigint, p_bytes bytea[],
    p_workspaces json, p_triggers json, p_triggers_gone text[], p_next_ticks json, p_held json,
    p_let_go json, p_executions json, p_jobs json, p_decisions json, p_dropped json,
    p_missed json, p_answers json, p_forgotten json
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    everything boolean := p_workspace = '';
    written bigint;
BEGIN
    PERFORM hold_fast(p_workspace, p_owner, p_epoch, p_clock);
    IF p_workspaces IS NOT NULL THEN
        INSERT INTO workspaces
        SELECT * FROM json_to_recordset(p_workspaces)
            AS row (workspace_id text, max_concurrent_executions bigint, fencing_token bigint)
        ON CONFLICT (workspace_id) DO UPDATE SET
            max_concurrent_executions = excluded.max_concurrent_executions,
            fencing_token = excluded.fencing_token;
    END IF;
    IF p_triggers IS NOT NULL THEN
        INSERT INTO triggers AS known
        SELECT trigger_id, workspace_id, client_id, p_bytes[configuration], paused_since,
            detached_since, anchor, next_tick, zone_data
        FROM json_to_recordset(p_triggers) AS row (
            trigger_id text, workspace_id text, client_id text, configuration int,
            paused_since bigint, detached_since bigint, anchor bigint, next_tick bigint,
            zone_data text
        )
        ON CONFLICT (trigger_id) DO UPDATE SET
            workspace_id = excluded.workspace_id, client_id = excluded.client_id,
            configuration = excluded.configuration, paused_since = excluded.paused_since,
            detached_since = excluded.detached_since, anchor = excluded.anchor,
            next_tick = excluded.next_tick, zone_data = excluded.zone_data
        WHERE everything OR known.workspace_id = excluded.workspace_id;
        GET DIAGNOSTICS written = ROW_COUNT;
        IF written < json_array_length(p_triggers) THEN
            RAISE EXCEPTION 'a trigger belongs to another workspace' USING ERRCODE = 'SB002';
        END IF;
        IF everything THEN -- so that whoever looks for free workspaces finds them later
            INSERT INTO leases (workspace_id)
            SELECT DISTINCT workspace_id
            FROM json_to_recordset(p_triggers) AS row (workspace_id text)
            ON CONFLICT DO NOTHING;
        END IF;
    END IF;
    IF p_triggers_gone IS NOT NULL THEN
        DELETE FROM triggers
        WHERE trigger_id = ANY (p_triggers_gone) AND (everything OR workspace_id = p_workspace);
    END IF;
    IF p_next_ticks IS NOT NULL THEN
        UPDATE triggers SET next_tick = row.next_tick
        FROM json_to_recordset(p_next_ticks) AS row (trigger_id text, next_tick bigint)
        WHERE triggers.trigger_id = row.trigger_id
            AND (everything OR triggers.workspace_id = p_workspace);
    END IF;
    IF p_let_go IS NOT NULL THEN
        DELETE FROM held_firings USING json_to_recordset(p_let_go)
            AS row (trigger_id text, lock_key text, kind text)
        WHERE held_firings.trigger_id = row.trigger_id AND held_firings.lock_key = row.lock_key
            AND held_firings.kind = row.kind;
    END IF;
    IF p_held IS NOT NULL THEN
        INSERT INTO held_firings
        SELECT trigger_id, lock_key, kind, firing_id, firing_key, source, priority,
            p_bytes[payload], scheduled_at, merged_firings, ready_at, creation_order
        FROM json_to_recordset(p_held) AS row (
            trigger_id text, lock_key text, kind text, firing_id text, firing_key text,
            source text, priority bigint, payload int, scheduled_at bigint,
            merged_firings bigint, ready_at bigint, creation_order bigint
        )
        ON CONFLICT (trigger_id, lock_key, kind) DO UPDATE SET
            firing_id = excluded.firing_id, firing_key = excluded.firing_key,
            source = excluded.source, priority = excluded.priority, payload = excluded.payload,
            scheduled_at = excluded.scheduled_at, merged_firings = excluded.merged_firings,
            ready_at = excluded.ready_at, creation_order = excluded.creation_order;
    END IF;
    IF p_executions IS NOT NULL THEN
        INSERT INTO executions (
            execution_id, trigger_id, workflow_id, workspace_id, client_id, lock_key, firing_id,
            firing_key, source, priority, payload, scheduled_at, created_at, creation_order, state,
            reason, error, merged_firings, hold_order, fencing_token, pending_at, started_at,
            session_id, deadline, paused_at, ended_at, run_limit, halted
        )
        SELECT execution_id, trigger_id, workflow_id, workspace_id, client_id, lock_key, firing_id,
            firing_key, source, priority, p_bytes[payload], scheduled_at, created_at,
            creation_order, state, reason, error, merged_firings, hold_order, fencing_token,
            pending_at, started_at, session_id, deadline, paused_at, ended_at, run_limit, halted
        FROM json_to_recordset(p_executions) AS row (
            execution_id text, trigger_id text, workflow_id text, workspace_id text,
            client_id text, lock_key text, firing_id text, firing_key text, source text,
            priority bigint, payload int, scheduled_at bigint, created_at bigint,
            creation_order bigint, state text, reason text, error text, merged_firings bigint,
            hold_order bigint, fencing_token bigint, pending_at bigint, started_at bigint,
            session_id text, deadline bigint, paused_at bigint, ended_at bigint, run_limit bigint,
            halted bigint
        )
        ORDER BY creation_order
        ON CONFLICT (execution_id) DO UPDATE SET
            trigger_id = excluded.trigger_id, workflow_id = excluded.workflow_id,
            client_id = excluded.client_id, lock_key = excluded.lock_key,
            firing_id = excluded.firing_id, firing_key = excluded.firing_key,
            source = excluded.source, priority = excluded.priority, payload = excluded.payload,
            scheduled_at = excluded.scheduled_at, created_at = excluded.created_at,
            creation_order = excluded.creation_order, state = excluded.state,
            reason = excluded.reason, error = excluded.error,
            merged_firings = excluded.merged_firings, hold_order = excluded.hold_order,
            fencing_token = excluded.fencing_token, pending_at = excluded.pending_at,
            started_at = excluded.started_at, session_id = excluded.session_id,
            deadline = excluded.deadline, paused_at = excluded.paused_at,
            ended_at = excluded.ended_at, run_limit = excluded.run_limit,
            halted = excluded.halted;
    END IF;
    IF p_jobs IS NOT NULL THEN
        INSERT INTO jobs
        SELECT * FROM json_to_recordset(p_jobs) AS row (
            execution_id text, job_id text, creation_order bigint, name text, claimed bigint,
            ended_as text
        )
        ON CONFLICT (execution_id, job_id) DO UPDATE SET
            creation_order = excluded.creation_order, name = excluded.name,
            claimed = excluded.claimed, ended_as = excluded.ended_as;
    END IF;
    IF p_decisions IS NOT NULL THEN
        PERFORM set_decisions(p_decisions);
    END IF;
    IF p_dropped IS NOT NULL THEN
        PERFORM drop_merged(firing_id, reason, message, at)
        FROM json_to_recordset(p_dropped)
            AS row (firing_id text, reason text, message text, at bigint);
    END IF;
    IF p_missed IS NOT NULL THEN
        INSERT INTO missed_stretches
            (trigger_id, workspace_id, first_tick, last_tick, ticks, reason, recorded_at)
        SELECT * FROM json_to_recordset(p_missed) AS row (
            trigger_id text, workspace_id text, first_tick bigint, last_tick bigint, ticks bigint,
            reason text, recorded_at bigint
        );
    END IF;
    IF p_answers IS NOT NULL THEN
        INSERT INTO idempotency_keys
        SELECT workspace_id, key, p_bytes[fingerprint], p_bytes[answer], answered_at
        FROM json_to_recordset(p_answers) AS row (
            workspace_id text, key text, fingerprint int, answer int, answered_at bigint
        )
        ON CONFLICT (workspace_id, key) DO UPDATE SET fingerprint = excluded.fingerprint,
            answer = excluded.answer, answered_at = excluded.answered_at;
    END IF;
    IF p_forgotten IS NOT NULL THEN
        DELETE FROM idempotency_keys USING json_to_recordset(p_forgotten)
            AS row (workspace_id text, key text)
        WHERE idempotency_keys.workspace_id = row.workspace_id AND idempotency_keys.key = row.key;
    END IF;
END $$;

-- When a firing came is kept from its first decision, and so is its number.
CREATE FUNCTION set_decisions(p_decisions json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO decisions (
        firing_id, verdict, reason, message, trigger_id, workflow_id, workspace_id, lock_key,
        execution_id, decided_at, fired_at, in_the_way, merged_into
    )
    SELECT * FROM json_to_recordset(p_decisions) AS row (
        firing_id text, verdict text, reason text, message text, trigger_id text,
        workflow_id text, workspace_id text, lock_key text, execution_id text, decided_at bigint,
        fired_at bigint, in_the_way text, merged_into text
    )
    ON CONFLICT (firing_id) DO UPDATE SET
        verdict = excluded.verdict, reason = excluded.reason, message = excluded.message,
        workflow_id = excluded.workflow_id, execution_id = excluded.execution_id,
        decided_at = excluded.decided_at, in_the_way = excluded.in_the_way,
        merged_into = excluded.merged_into;
END $$;

CREATE FUNCTION drop_merged(p_firing text, p_reason text, p_message text, p_at bigint)
RETURNS void LANGUAGE sql AS $$
    WITH RECURSIVE joined (firing_id) AS (
        SELECT firing_id FROM decisions WHERE merged_into = p_firing
        UNION
        SELECT d.firing_id FROM decisions AS d JOIN joined AS j ON d.merged_into = j.firing_id
    )
    UPDATE decisions
    SET verdict = 'dropped', reason = p_reason, message = p_message, decided_at = p_at
    WHERE firing_id IN (SELECT firing_id FROM joined)
$$;


-- One small step of what is too old; how many rows went. An owner that is null prunes a workspace
-- that nobody has, and the workspace '' is all of them.

CREATE FUNCTION prune_step(
    p_workspace text, p_owner text, p_epoch bigint, p_before bigint, p_keep bigint,
    p_keys_before bigint, p_step bigint
) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    everything boolean := p_workspace = '';
    excess bigint;
    gone bigint;
    step bigint;
BEGIN
    IF p_owner IS NOT NULL THEN
        PERFORM hold_fast(p_workspace, p_owner, p_epoch, 0);
    ELSE
        PERFORM FROM leases WHERE workspace_id = p_workspace AND expires_at <= clock_timestamp()
        FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
            RETURN 0;
        END IF;
    END IF;

    DELETE FROM decisions WHERE number IN (
        SELECT number FROM decisions
        WHERE (everything OR workspace_id = p_workspace) AND decided_at < p_before
        ORDER BY decided_at LIMIT p_step
    );
    GET DIAGNOSTICS gone = ROW_COUNT;

    SELECT coalesce(sum(decisions), 0) - p_keep INTO excess FROM decision_counts
    WHERE everything OR workspace_id = p_workspace;
    IF excess > 0 THEN
        DELETE FROM decisions WHERE number IN (
            SELECT number FROM decisions WHERE everything OR workspace_id = p_workspace
            ORDER BY number LIMIT least(excess, p_step)
        );
        GET DIAGNOSTICS step = ROW_COUNT;
        gone := gone + step;
    END IF;

    DELETE FROM executions WHERE execution_id IN (
        SELECT execution_id FROM executions
        WHERE (everything OR workspace_id = p_workspace) AND ended_at < p_before
        ORDER BY ended_at LIMIT p_step
    );
    GET DIAGNOSTICS step = ROW_COUNT;
    gone := gone + step;

    DELETE FROM executions WHERE execution_id IN (
        SELECT execution_id FROM executions
        WHERE (everything OR workspace_id = p_workspace) AND ended_at IS NOT NULL
            AND creation_order <= (
                SELECT max(creation_order) FROM executions
                WHERE everything OR workspace_id = p_workspace
            ) - p_keep
        ORDER BY creation_order LIMIT p_step
    );
    GET DIAGNOSTICS step = ROW_COUNT;
    gone := gone + step;

    DELETE FROM missed_stretches WHERE number IN (
        SELECT number FROM missed_stretches
        WHERE (everything OR workspace_id = p_workspace) AND recorded_at < p_before
        ORDER BY recorded_at LIMIT p_step
    );
    GET DIAGNOSTICS step = ROW_COUNT;
    gone := gone + step;

    DELETE FROM missed_stretches WHERE number IN (
        SELECT number FROM missed_stretches
        WHERE (everything OR workspace_id = p_workspace) AND number <= (
            SELECT number FROM missed_stretches WHERE everything OR workspace_id = p_workspace
            ORDER BY number DESC OFFSET p_keep LIMIT 1
        )
        ORDER BY number LIMIT p_step
    );
    GET DIAGNOSTICS step = ROW_COUNT;
    gone := gone + step;

    DELETE FROM workspaces
    WHERE (everything OR workspace_id = p_workspace)
        AND max_concurrent_executions = 0 AND fencing_token = 0;
    GET DIAGNOSTICS step = ROW_COUNT;
    gone := gone + step;

    DELETE FROM idempotency_keys WHERE (workspace_id, key) IN (
        SELECT workspace_id, key FROM idempotency_keys
        WHERE (everything OR workspace_id = p_workspace) AND answered_at < p_keys_before
        ORDER BY answered_at LIMIT p_step
    );
    GET DIAGNOSTICS step = ROW_COUNT;
    RETURN gone + step;
END $$;
