-- What keeps pruning and listing short, however long history is.

CREATE INDEX decisions_by_age ON decisions (decided_at);
CREATE INDEX executions_ended ON executions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX missed_by_age ON missed_stretches (recorded_at);

-- How many decisions of each kind history holds for a trigger; `kind` is "verdict.reason".
CREATE TABLE decision_counts (
    trigger_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    decisions INTEGER NOT NULL,
    PRIMARY KEY (trigger_id, kind)
) STRICT, WITHOUT ROWID;

INSERT INTO decision_counts
SELECT trigger_id, verdict || coalesce('.' || reason, ''), count(*) FROM decisions GROUP BY 1, 2;

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
