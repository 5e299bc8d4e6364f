"""`schedule-bridge doctor`: what is wrong with a store, found in its file."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from faults.trouble import damage_page_of, set_version
from schedule_bridge.cli.when import now
from schedule_bridge.core.model import DAY, MINUTE, SECOND, LockKey, State, TriggerId
from schedule_bridge.store import Batch, SqliteStore
from schedule_bridge.store.rows import BUFFERED, buffered_row
from store.filled import fill
from store.open_stores import opened
from store.samples import HERE, decision, decisions, execution, executions, firing, trigger

from .operator_bridge import operate, running_bridge

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from schedule_bridge.store import Store


def keep(folder: Path, *batches: Batch) -> None:
    """Writes batches into the store of a folder, and leaves it."""

    async def write() -> None:
        async with opened(_store, folder) as store:
            for batch in batches:
                await store.append(batch)

    folder.chmod(0o700)
    asyncio.run(write())


def _store(folder: Path) -> Store:
    return SqliteStore(folder / "bridge.db")


def doctor(folder: Path, *arguments: str) -> Result:
    """The command on the store and token of a folder."""
    places = ("--database", str(folder / "bridge.db"), "--token-file", str(folder / "token"))
    return operate("doctor", *places, *arguments)


def findings(folder: Path) -> list[str]:
    """Everything that is said to be wrong."""
    said: dict[str, Any] = json.loads(doctor(folder, "--json").stdout)
    return [each["message"] for each in said["findings"] if each["wrong"]]


def notes(folder: Path) -> list[str]:
    said: dict[str, Any] = json.loads(doctor(folder, "--json").stdout)
    return [each["message"] for each in said["findings"] if not each["wrong"]]


def with_trigger(*given: Any, limit: int = 0, token: int = 100) -> Batch:
    """Executions of a trigger that is there, in a workspace."""
    batch = executions(*given)
    batch.triggers = {TriggerId("t"): trigger()}
    batch.workspaces = {HERE: (HERE, limit, token)}
    return batch


def test_a_sound_store_is_said_to_be_sound(tmp_path: Path) -> None:
    keep(tmp_path, with_trigger(execution(1, state=State.RUNNING, fencing_token=9), limit=1))
    said = doctor(tmp_path)
    assert said.exit_code == 0
    assert "1 triggers, 1 runs, 0 decisions" in said.stdout.replace("\n", "")
    assert "No bridge runs." in said.stdout
    assert [line.split()[:2] for line in said.stdout.splitlines()[-5:]] == [
        [check, "ok"] for check in ("modes", "version", "integrity", "rows", "clock")
    ]


def test_what_a_bridge_writes_is_sound(tmp_path: Path) -> None:
    with running_bridge(tmp_path) as bridge:
        tmp_path.chmod(0o700)
        bridge.declare("t", overlapPolicy="queue", lockKey="k", payload={"a": 1})
        for _ in range(3):
            bridge.fire("t")
        bridge.declare("b", overlapPolicy="buffer", workflowId="t", lockKey="k")
        bridge.fire("b")
        said = json.loads(doctor(tmp_path, "--json").stdout)
    assert (said["sound"], said["findings"]) == (True, [])
    assert said["bridge"] == {"running": True, "url": bridge.url}
    assert said["checked"] == ["modes", "version", "integrity", "rows", "clock"]
    assert doctor(tmp_path).exit_code == 0


def test_where_there_is_no_store_nothing_is_made(tmp_path: Path) -> None:
    said = doctor(tmp_path)
    assert said.exit_code == 1
    assert f"There is no store at {tmp_path / 'bridge.db'}." in said.stderr
    assert list(tmp_path.iterdir()) == []


K = LockKey("k")
CONTRADICTIONS = {
    "two holders of a key": (
        with_trigger(
            execution(1, lock_key=K, state=State.RUNNING, fencing_token=1),
            execution(2, lock_key=K, state=State.ON_HOLD),
        ),
        "runs run1, run2 all hold the lock key k of workspace default",
    ),
    "two queued in a scope": (
        with_trigger(execution(1), execution(2)),
        "runs run1, run2 all wait in one scope, workflow w of workspace default",
    ),
    "a run that waits for a trigger that is gone": (
        executions(execution(1)),
        "run run1 is queued, and its trigger t is not there",
    ),
    "a held firing of a trigger that is gone": (
        Batch(held={(TriggerId("t"), K, BUFFERED): buffered_row(firing(1, lock_key=K))}),
        "a buffered firing is held for trigger t, which is not there",
    ),
    "a token above the workspace's": (
        with_trigger(execution(1, state=State.RUNNING, fencing_token=8), token=7),
        "run run1 has the fencing token 8, above that of workspace default (7)",
    ),
    "a start without a token": (
        with_trigger(execution(1, state=State.PENDING)),
        "run run1 has started without a fencing token",
    ),
    "an end without an instant": (
        with_trigger(execution(1, state=State.FAILED)),
        "run run1 is failed, and has no end",
    ),
    "an instant without an end": (
        with_trigger(execution(1, state=State.ON_HOLD, ended_at=5)),
        "run run1 is onHold, and has an end",
    ),
    "a payload that outlived its run": (
        with_trigger(execution(1, state=State.FAILED, ended_at=5, payload={"secret": 1})),
        "run run1 has ended, and its payload is still there",
    ),
}


@pytest.mark.parametrize(("batch", "said"), CONTRADICTIONS.values(), ids=list(CONTRADICTIONS))
def test_rows_that_contradict_each_other_are_named(tmp_path: Path, batch: Batch, said: str) -> None:
    keep(tmp_path, batch)
    assert findings(tmp_path) == [f"Contradiction: {said}."]
    assert doctor(tmp_path).exit_code == 1


def test_what_a_sound_store_may_hold_is_noted(tmp_path: Path) -> None:
    batch = with_trigger(
        *(execution(n, state=State.RUNNING, fencing_token=n) for n in (1, 2)), limit=1
    )
    gone = execution(3, state=State.RUNNING, fencing_token=3, trigger_id=TriggerId("gone"))
    batch.executions |= executions(gone).executions
    batch.triggers[TriggerId("t")] = trigger(next_tick=5)
    keep(tmp_path, batch)
    assert findings(tmp_path) == []
    assert [note.partition(".")[0] for note in notes(tmp_path)] == [
        "Workspace default has 3 started runs, over its limit of 1",
        "Run run3 goes on after its trigger gone was removed",
        "Ticks of 1 triggers have passed while no bridge is running",
    ]
    assert doctor(tmp_path).exit_code == 0


def test_a_row_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    keep(tmp_path, with_trigger(execution(1, state=State.RUNNING, fencing_token=1)))
    with closing(sqlite3.connect(tmp_path / "bridge.db")) as connection, connection:
        connection.execute("UPDATE executions SET payload = x'c1'")
    (said,) = findings(tmp_path)
    assert said.startswith("The row of run run1 cannot be read")


def test_a_damaged_file_is_said_to_be_damaged(tmp_path: Path) -> None:
    keep(tmp_path, decisions(*(decision(f"f{number}") for number in range(50))))
    damage_page_of(tmp_path / "bridge.db", "decisions")
    said = doctor(tmp_path)
    assert said.exit_code == 1
    assert "damaged" in said.stdout
    assert "Traceback" not in said.output


def test_a_file_that_is_no_store_is_said_to_be_none(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "bridge.db").write_text("buy milk " * 999)
    (tmp_path / "bridge.db").chmod(0o600)
    (said,) = findings(tmp_path)
    assert "is no store of the bridge" in said


def test_a_store_of_a_later_version_is_said_to_be_that(tmp_path: Path) -> None:
    keep(tmp_path, Batch(clock=1))
    set_version(tmp_path / "bridge.db", 99)
    (said,) = findings(tmp_path)
    assert said.startswith("The store has schema version 99")


def test_files_that_others_can_read_are_named(tmp_path: Path) -> None:
    keep(tmp_path, Batch(clock=1))
    token = tmp_path / "token"
    token.write_text("x" * 40)
    for path, mode in ((tmp_path, 0o755), (tmp_path / "bridge.db", 0o640), (token, 0o604)):
        path.chmod(mode)
    assert findings(tmp_path) == [
        f"Others can get at {tmp_path} (mode 0755).",
        f"Others can get at {tmp_path / 'bridge.db'} (mode 0640).",
        f"Others can get at {token} (mode 0604).",
    ]


# engine time


def ahead_by(span: int, *batches: Batch) -> list[Batch]:
    """Whatever the batches hold, last committed so far after now."""
    return [*batches, Batch(clock=now() + span)]


def test_engine_time_that_runs_ahead_is_found_and_set_back(tmp_path: Path) -> None:
    keep(tmp_path, *ahead_by(3 * DAY))
    (said,) = findings(tmp_path)
    assert said.startswith(("Engine time runs 2 d 23 h", "Engine time runs 3 d"))
    told = doctor(tmp_path, "--clock")
    assert told.exit_code == 0
    assert told.stdout.startswith("Engine time was set back by ")
    assert findings(tmp_path) == []
    again = doctor(tmp_path, "--clock")
    assert again.stdout == "Engine time does not run ahead of the clock of this machine.\n"


def test_what_waits_keeps_its_time_and_ticks_are_counted_from_now(tmp_path: Path) -> None:
    """Otherwise a schedule would stay silent until the wall clock had caught up."""
    then = now() + 300 * DAY
    batch = with_trigger(
        execution(1, state=State.RUNNING, fencing_token=1, deadline=then + 5 * MINUTE),
    )
    every_minute = {"triggerId": "t", "schedule": {"kind": "interval", "every": 60}}
    batch.triggers[TriggerId("t")] = trigger(
        configuration=every_minute, anchor=0, next_tick=then, paused_since=then
    )
    batch.decisions = decisions(decision("f", decided_at=then)).decisions
    batch.clock = then
    keep(tmp_path, batch)
    doctor(tmp_path, "--clock")
    after = now()

    async def read() -> None:
        async with opened(_store, tmp_path) as store:
            snapshot = await store.load()
        assert snapshot.clock <= after
        (kept,) = snapshot.triggers
        assert kept.next_tick is not None
        assert snapshot.clock < kept.next_tick <= snapshot.clock + MINUTE
        assert kept.next_tick % MINUTE == 0
        assert kept.paused_since == snapshot.clock
        assert snapshot.executions[0].deadline == snapshot.clock + 5 * MINUTE

    asyncio.run(read())


def test_everything_else_stays_as_it_was(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)

    async def write() -> Any:
        async with opened(_store, tmp_path) as store:
            await fill(store)
            before = await store.load()
            await store.append(Batch(clock=now() + DAY))
            return before

    before = asyncio.run(write())
    doctor(tmp_path, "--clock")

    async def read() -> Any:
        async with opened(_store, tmp_path) as store:
            return await store.load()

    after = asyncio.run(read())
    assert after.workspaces == before.workspaces
    assert after.triggers == before.triggers
    assert after.answers == before.answers


def test_a_bridge_that_runs_keeps_its_clock(tmp_path: Path) -> None:
    with running_bridge(tmp_path, Batch(clock=now() + 3600 * SECOND)):
        said = doctor(tmp_path, "--clock")
    assert said.exit_code == 1
    assert "is using the store" in said.stderr
    assert doctor(tmp_path, "--clock").exit_code == 0


def test_no_store_is_made_by_setting_a_clock(tmp_path: Path) -> None:
    assert doctor(tmp_path, "--clock").exit_code == 1
    assert list(tmp_path.iterdir()) == []
