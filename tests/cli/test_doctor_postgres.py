"""`schedule-bridge doctor` on PostgreSQL: the same checks, and what only a server can have."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from databases.server import empty_database, in_a_thread, new_database
from databases.telling import tell
from schedule_bridge.cli.when import now
from schedule_bridge.core.model import MINUTE, SECOND, DelayedFiring, LockKey, State, TriggerId
from schedule_bridge.store import Batch, SqliteStore
from schedule_bridge.store.postgres import WholePostgresStore
from schedule_bridge.store.rows import DELAYED, delayed_row
from store.filled import fill
from store.open_stores import opened
from store.samples import HERE, execution, executions, firing, trigger

from .operator_bridge import operate

if TYPE_CHECKING:
    from schedule_bridge.store import Snapshot, Store


def _keep(store: Store, *batches: Batch) -> Snapshot:
    async def write() -> Snapshot:
        async with opened(lambda _: store, Path()) as it:
            for batch in batches:
                await it.append(batch)
            return await it.load()

    return in_a_thread(write())


def keep(url: str, *batches: Batch) -> Snapshot:
    """Writes batches into the store of a database, and leaves it as it then is."""
    return _keep(WholePostgresStore(url), *batches)


def said_of(url: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(operate("doctor", "--database", url, "--json").stdout)
    return said


def wrong_with(url: str) -> list[str]:
    """What is wrong, but for what every server of these tests has switched off."""
    found = [each["message"] for each in said_of(url)["findings"] if each["wrong"]]
    return [message for message in found if "is off: a crash" not in message]


def test_a_store_is_looked_at_as_a_whole() -> None:
    url = new_database()

    async def filled() -> None:
        async with opened(lambda _: WholePostgresStore(url), Path()) as store:
            await fill(store)

    in_a_thread(filled())
    said = said_of(url)
    assert said["checked"] == ["modes", "version", "integrity", "rows", "clock"]
    assert said["rows"] == {
        "triggers": 2,
        "executions": 3,
        "decisions": 3,
        "missed_stretches": 1,
        "idempotency_keys": 1,
    }
    assert said["bytes"] > 0
    assert said["bridge"] == {"running": False, "url": None}


def test_what_a_server_must_not_have_switched_off_is_said() -> None:
    """The servers of these tests have nothing that has to last."""
    said = operate("doctor", "--database", new_database())
    assert said.exit_code == 1
    assert "fsync is off" in said.stdout
    assert "full_page_writes is off" in said.stdout


def test_the_same_contradictions_are_found_in_a_file_and_in_a_database(tmp_path: Path) -> None:
    batch = executions(
        execution(1, state=State.RUNNING, lock_key=LockKey("k"), fencing_token=900),
        execution(2, state=State.PENDING, lock_key=LockKey("k")),
        execution(3, state=State.QUEUED),
        execution(4, state=State.QUEUED),
        execution(5, state=State.COMPLETED),
        execution(6, state=State.ON_HOLD, trigger_id=TriggerId("gone"), workflow_id="x"),
        execution(7, state=State.RUNNING, ended_at=5, payload={"a": 1}),
        execution(8, state=State.RUNNING, trigger_id=TriggerId("gone"), fencing_token=3),
    )
    held = firing(5, trigger_id=TriggerId("gone"))
    batch.held = {
        (held.trigger_id, held.lock_key, DELAYED): delayed_row(DelayedFiring(held, 90, 4))
    }
    batch.triggers = {TriggerId("t"): trigger(next_tick=1)}
    batch.workspaces = {HERE: (HERE, 1, 100)}
    url = new_database()
    file = tmp_path / "bridge.db"
    tmp_path.chmod(0o700)
    keep(url, batch)
    _keep(SqliteStore(file), batch)
    in_file = json.loads(operate("doctor", "--database", str(file), "--json").stdout)["findings"]
    in_database = [each for each in said_of(url)["findings"] if each["check"] != "integrity"]
    assert len(in_file) >= 10
    assert _messages(in_database) == _messages(in_file)


def _messages(findings: list[dict[str, Any]]) -> list[str]:
    """Told in any order, as names within one are."""
    return sorted(" ".join(sorted(each["message"].split())) for each in findings)


def test_a_bridge_that_has_the_store_is_seen() -> None:
    url = new_database()

    async def look() -> dict[str, Any]:
        async with opened(lambda _: WholePostgresStore(url), Path()):
            return await asyncio.to_thread(said_of, url)

    assert in_a_thread(look())["bridge"]["running"]


def test_a_schema_that_everybody_can_get_at_is_wrong() -> None:
    url = new_database()
    tell(url, "GRANT USAGE ON SCHEMA schedule_bridge TO PUBLIC")
    (message,) = wrong_with(url)
    assert message == "Every role of the database can get at the schema schedule_bridge."


def test_a_schema_of_another_version_is_not_read() -> None:
    url = new_database()
    tell(url, "INSERT INTO schema_versions (version) VALUES (99)")
    said = said_of(url)
    assert "has schema version 99" in "".join(each["message"] for each in said["findings"])
    assert said["checked"] == ["modes", "version", "integrity"]


def test_a_row_that_cannot_be_read_is_named() -> None:
    url = new_database()
    keep(url, Batch(triggers={TriggerId("t"): trigger()}))
    tell(url, r"UPDATE triggers SET configuration = '\xc1'")
    (message,) = wrong_with(url)
    assert message.startswith("The row of trigger t cannot be read")


def test_a_database_without_a_store_is_said() -> None:
    said = operate("doctor", "--database", empty_database())
    assert said.exit_code == 1
    assert "There is no store in postgresql://" in said.stderr


def test_engine_time_is_set_back_with_all_that_was_measured_by_it() -> None:
    url = new_database()
    ahead = now() + 10 * MINUTE
    batch = executions(
        execution(
            1, state=State.RUNNING, deadline=ahead + MINUTE, started_at=ahead, fencing_token=3
        )
    )
    held = firing(5)
    slot = (held.trigger_id, held.lock_key, DELAYED)
    batch.held = {slot: delayed_row(DelayedFiring(held, ahead + MINUTE, 4))}
    every = {"triggerId": "t", "schedule": {"kind": "interval", "every": 60}}
    batch.triggers = {TriggerId("t"): trigger(configuration=every, next_tick=ahead + 5 * MINUTE)}
    batch.workspaces = {HERE: (HERE, 0, 3)}
    batch.clock = ahead
    keep(url, batch)
    (message,) = wrong_with(url)
    assert message.startswith("Engine time runs")
    said = json.loads(operate("doctor", "--database", url, "--clock", "--json").stdout)
    by = int(said["setBackBySeconds"] * SECOND)
    after = keep(url)
    (run,) = after.executions
    assert after.clock == ahead - by
    assert run.deadline == ahead + MINUTE - by
    assert run.started_at == after.clock
    assert [each.ready_at for each in after.delayed] == [ahead + MINUTE - by]
    assert after.clock < (after.triggers[0].next_tick or 0) <= after.clock + MINUTE
    assert wrong_with(url) == []
    again = operate("doctor", "--database", url, "--clock")
    assert "does not run ahead" in again.stdout
