"""A store that cannot be used at the bridge's start: one sentence, and nothing is touched."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cli.bridge_process import clean_environment, run, serving

from .trouble import (
    cut_in_half,
    damage_page_of,
    let_no_file_grow,
    locked,
    log_of,
    mind_file_modes,
    set_version,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


async def used_store(folder: Path) -> Path:
    """The database of a bridge that has decided something and was stopped."""
    async with serving(folder) as bridge:
        await bridge.call("PUT", "/v1/triggers/t", {})
        await bridge.call("POST", "/v1/triggers/t/fire", {})
        await bridge.terminate()
    return bridge.folder / "bridge.db"


async def refusal(folder: Path, before: Callable[[], None] | None = None) -> str:
    """What a bridge says that does not start: one line, a sentence, no traceback."""
    env = clean_environment(folder, SCHEDULE_BRIDGE_PORT="0")
    code, _, log = await run("serve", env=env, before=before)
    (line,) = map(json.loads, log.splitlines())
    assert code == 1
    assert "traceback" not in line
    message: str = line["message"]
    return message


async def starts(folder: Path) -> bool:
    """Whether a bridge starts that still has the trigger of `used_store`."""
    async with serving(folder) as bridge:
        return (await bridge.call("GET", "/v1/triggers/t")).status == 200


def _write_notes(database: Path) -> None:
    database.write_text("buy milk " * 999)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_write_notes, "is no store of the bridge: file is not a database."),
        (cut_in_half, "is damaged: database disk image is malformed. Stop the bridge, keep a copy"),
        (lambda file: damage_page_of(file, "triggers"), "is damaged: database disk image is"),
        (lambda file: set_version(file, 99), "has schema version 99, this bridge knows up to"),
    ],
    ids=["not a database", "truncated", "a damaged page", "of a newer version"],
)
async def test_a_file_that_cannot_be_used_is_refused_untouched(
    tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    database = await used_store(tmp_path)
    spoil(database)
    before = database.read_bytes()
    message = await refusal(tmp_path)
    assert said in message
    assert str(database) in message
    assert database.read_bytes() == before


async def test_a_read_only_file_is_refused_until_it_can_be_written(tmp_path: Path) -> None:
    database = await used_store(tmp_path)
    database.chmod(0o400)
    assert f"{database} cannot be" in await refusal(tmp_path, mind_file_modes)
    database.chmod(0o600)
    assert await starts(tmp_path)


async def test_a_read_only_folder_is_refused_until_it_can_be_written(tmp_path: Path) -> None:
    database = await used_store(tmp_path)
    database.parent.chmod(0o500)
    try:
        message = await refusal(tmp_path, mind_file_modes)
    finally:
        database.parent.chmod(0o700)
    assert f"The store {database} cannot be written: it is read-only." in message
    assert await starts(tmp_path)


async def test_a_file_of_another_user_is_refused(tmp_path: Path) -> None:
    database = await used_store(tmp_path)
    database.chmod(0)
    message = await refusal(tmp_path, mind_file_modes)
    assert f"The store {database} cannot be used: Permission denied" in message


async def test_a_full_disk_is_said(tmp_path: Path) -> None:
    database = await used_store(tmp_path)
    message = await refusal(tmp_path, let_no_file_grow)
    assert f"The system cannot read or write the store {database} (disk I/O error)." in message
    assert await starts(tmp_path)


async def test_a_store_that_another_program_has_locked_is_refused(tmp_path: Path) -> None:
    database = await used_store(tmp_path)
    with locked(database):
        message = await refusal(tmp_path)
    assert f"The store {database} is locked by another program." in message


async def test_the_lock_of_a_living_bridge_is_minded_and_that_of_a_dead_one_is_not(
    tmp_path: Path,
) -> None:
    await used_store(tmp_path)
    async with serving(tmp_path) as bridge:
        message = await refusal(tmp_path)
        await bridge.kill()
    assert message.startswith(f"Another bridge is using the store {bridge.folder / 'bridge.db'}.")
    assert (bridge.folder / "bridge.db.lock").exists()
    assert await starts(tmp_path)


async def test_a_deleted_log_costs_what_was_in_it_and_no_more(tmp_path: Path) -> None:
    database = await used_store(tmp_path)
    async with serving(tmp_path) as bridge:
        await bridge.call("PUT", "/v1/triggers/late", {})
        await bridge.kill()
    log_of(database).unlink()
    async with serving(tmp_path) as bridge:
        statuses = [
            (await bridge.call("GET", f"/v1/triggers/{each}")).status for each in ("t", "late")
        ]
    assert statuses == [200, 404]
