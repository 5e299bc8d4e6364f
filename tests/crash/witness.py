"""A witness in the database: every change of a lease, and every write, in the order of commits.

It is made of the database's own means. What it writes, it writes while the row of the lease is
locked, in the transaction of the write itself: so it says under which epoch that was made. What the
bridge believed, it says when it holds the lease fast: that is noted as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg

from databases.server import in_a_thread
from databases.telling import tell

if TYPE_CHECKING:
    from crash.record import Record, Row

_MADE = """
CREATE SCHEMA witness;
CREATE TABLE witness.holds (
    number bigint GENERATED ALWAYS AS IDENTITY,
    transaction text NOT NULL DEFAULT pg_current_xact_id()::text,
    workspace_id text NOT NULL,
    owner text NOT NULL,
    epoch bigint NOT NULL,
    owner_before text NOT NULL,
    epoch_before bigint NOT NULL,
    was_over boolean NOT NULL
);
CREATE TABLE witness.writes (
    number bigint GENERATED ALWAYS AS IDENTITY,
    transaction text NOT NULL DEFAULT pg_current_xact_id()::text,
    workspace_id text NOT NULL,
    kind text NOT NULL,
    fencing_token bigint
);
CREATE TABLE witness.beliefs (
    transaction text NOT NULL DEFAULT pg_current_xact_id()::text,
    workspace_id text NOT NULL,
    owner text NOT NULL,
    epoch bigint NOT NULL
);
CREATE FUNCTION witness.see_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO witness.holds (
        workspace_id, owner, epoch, owner_before, epoch_before, was_over
    ) VALUES (
        NEW.workspace_id, NEW.owner, NEW.epoch, OLD.owner, OLD.epoch,
        OLD.expires_at <= clock_timestamp()
    );
    RETURN NULL;
END $$;
CREATE FUNCTION witness.see_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO witness.writes (workspace_id, kind, fencing_token) VALUES (
        NEW.workspace_id, TG_TABLE_NAME, (to_json(NEW) ->> 'fencing_token')::bigint
    );
    RETURN NULL;
END $$;
CREATE TRIGGER witness AFTER UPDATE ON leases FOR EACH ROW EXECUTE FUNCTION witness.see_hold();
ALTER FUNCTION hold_fast RENAME TO hold_fast_unseen;
CREATE FUNCTION hold_fast(p_workspace text, p_owner text, p_epoch bigint, p_clock bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM hold_fast_unseen(p_workspace, p_owner, p_epoch, p_clock);
    INSERT INTO witness.beliefs (workspace_id, owner, epoch)
    VALUES (p_workspace, p_owner, p_epoch);
END $$;
"""
_SEEN = """
CREATE TRIGGER witness AFTER INSERT OR UPDATE ON {table}
FOR EACH ROW EXECUTE FUNCTION witness.see_write();
"""
_QUESTIONS = (
    "SELECT * FROM witness.holds ORDER BY number",
    "SELECT * FROM witness.writes ORDER BY number",
    "SELECT * FROM witness.beliefs",
)
_TABLES = ("decisions", "executions", "missed_stretches", "triggers", "idempotency_keys")


def call_witness(url: str) -> None:
    """From now on all that happens in the database is seen."""
    tell(url, _MADE + "".join(_SEEN.format(table=table) for table in _TABLES))


def testify(url: str, record: Record) -> None:
    """What was seen."""
    record.holds, record.writes, record.beliefs = in_a_thread(_read(url))


async def _read(url: str) -> list[list[Row]]:
    connection = await asyncpg.connect(url)
    try:
        found = [await connection.fetch(question) for question in _QUESTIONS]
    finally:
        await connection.close()
    return [[dict(row) for row in rows] for rows in found]
