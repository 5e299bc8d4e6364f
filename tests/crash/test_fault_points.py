"""A fault point ends the process just where it says: what was not committed then is not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from signal import SIGKILL

import pytest

from crash.fault_points import Aim, Boundary
from crash.traits import TRAITS, traits_of
from schedule_bridge.store import DecisionQuery, SqliteStore
from store.samples import decision, decisions

TESTS = Path(__file__).parents[1]


def commit_under(folder: Path, boundary: Boundary, draw: int = 1) -> int:
    aim = Aim(boundary, "decision started", skip=0, draw=draw, delay=100)
    arguments = (str(folder / "bridge.db"), aim.as_text(), str(folder / "report"))
    return subprocess.run(
        [sys.executable, "-m", "crash.one_commit", *arguments],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        check=False,
    ).returncode


async def decided(folder: Path) -> list[str]:
    store = SqliteStore(folder / "bridge.db")
    await store.open()
    found = await store.decisions(DecisionQuery())
    await store.close()
    return sorted(each.firing_id for _, each in found)


@pytest.mark.parametrize(
    ("boundary", "durable"),
    [
        (Boundary.OPENING, []),
        (Boundary.BEFORE, []),
        (Boundary.BETWEEN, []),
        (Boundary.BEFORE_COMMIT, []),
        (Boundary.COMMITTED, ["f1", "f2"]),
        (Boundary.ANSWERING, ["f1", "f2"]),
    ],
)
async def test_all_of_a_commit_or_nothing(
    tmp_path: Path, boundary: Boundary, durable: list[str]
) -> None:
    assert commit_under(tmp_path, boundary) == -SIGKILL
    assert json.loads((tmp_path / "report").read_text())["boundary"] == boundary
    assert await decided(tmp_path) == durable


async def test_a_kill_during_commit_leaves_all_or_nothing(tmp_path: Path) -> None:
    assert commit_under(tmp_path, Boundary.DURING_COMMIT) == -SIGKILL
    assert await decided(tmp_path) in ([], ["f1", "f2"])


@pytest.mark.parametrize("draw", range(3))
async def test_every_statement_of_a_commit_can_be_the_last(tmp_path: Path, draw: int) -> None:
    assert commit_under(tmp_path, Boundary.BETWEEN, draw) == -SIGKILL
    assert await decided(tmp_path) == []


def test_the_report_names_what_the_commit_held(tmp_path: Path) -> None:
    commit_under(tmp_path, Boundary.BEFORE)
    assert json.loads((tmp_path / "report").read_text())["traits"] == ["decision started"]
    assert traits_of(decisions(decision("f"))) <= set(TRAITS)
