"""A database that asks for a password: a wrong one is said, and none is ever shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cli.bridge_process import clean_environment, run
from databases.passwords import ROLE, as_role, ask_for_password
from databases.server import new_database
from databases.telling import tell
from schedule_bridge.store import SqliteStore
from store.open_stores import opened

from .house import bridges, declare, fire, fire_when_owned

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

RIGHT, WRONG = "r1ght-secret", "wr0ng-secret"
_END_ALL_CONNECTIONS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def by_address(url: str, _: Path) -> tuple[str, Mapping[str, str]]:
    return as_role(url, WRONG), {}


def by_variable(url: str, _: Path) -> tuple[str, Mapping[str, str]]:
    return as_role(url), {"PGPASSWORD": WRONG}


def by_file(url: str, folder: Path) -> tuple[str, Mapping[str, str]]:
    kept = folder / "passwords"
    kept.touch(0o600)
    kept.write_text(f"*:*:*:{ROLE}:{WRONG}\n")
    return as_role(url), {"PGPASSFILE": str(kept)}


@pytest.mark.parametrize("given", [by_address, by_variable, by_file])
@pytest.mark.parametrize(
    "command",
    [
        ("serve", "--port", "1", "--database", "{database}"),
        ("doctor", "--database", "{database}"),
        ("move", "sqlite:{file}", "{database}"),
        ("move", "{database}", "sqlite:{file}.new"),
    ],
    ids=["serve", "doctor", "move into it", "move out of it"],
)
async def test_a_wrong_password_is_said_and_not_shown(
    given: Callable[[str, Path], tuple[str, Mapping[str, str]]],
    command: tuple[str, ...],
    tmp_path: Path,
) -> None:
    ask_for_password(RIGHT)
    async with opened(lambda _: SqliteStore(tmp_path / "store.db"), tmp_path):
        pass
    url, variables = given(new_database(), tmp_path)
    words = [word.format(database=url, file=tmp_path / "store.db") for word in command]
    code, out, err = await run(*words, env=clean_environment(tmp_path, **variables))
    assert code == 1
    assert "lets nobody in with these words: password authentication failed" in out + err
    assert not shows_a_password(out + err)


async def test_a_password_that_is_changed_while_bridges_run_is_said_and_not_shown(
    tmp_path: Path,
) -> None:
    ask_for_password(RIGHT)
    async with bridges(tmp_path, 0) as house:
        bridge = await house.add(as_role(house.url, RIGHT))
        await declare(bridge, "t", "default")
        ask_for_password("another-secret")
        tell(house.url, _END_ALL_CONNECTIONS)
        refused = await bridge.call("POST", "/v1/triggers/t/fire", {})
        assert refused.status == 503
        ask_for_password(RIGHT)
        assert (await fire_when_owned(bridge, "t"))["decision"] == "started"
        assert (await fire(bridge, "t"))["reason"] == "active"
        said = json.dumps([refused.value, bridge.log])
        assert "lets nobody in" in said
        assert not shows_a_password(said)


def shows_a_password(said: str) -> bool:
    return "secret" in said
