"""`schedule-bridge backup`: a copy that a bridge goes on from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .operator_bridge import operate, running_bridge

if TYPE_CHECKING:
    from pathlib import Path


def test_a_copy_taken_from_a_running_bridge_holds_all_that_was_decided(tmp_path: Path) -> None:
    source, other = tmp_path / "source", tmp_path / "other"
    source.mkdir(mode=0o700)
    other.mkdir(mode=0o700)
    with running_bridge(source) as bridge:
        bridge.declare("t")
        run = bridge.start("t")
        database = str(source / "bridge.db")
        said = operate("backup", str(other / "bridge.db"), "--database", database)
        assert said.exit_code == 0
        bridge.fire("t")
    assert (other / "bridge.db").stat().st_mode & 0o777 == 0o600
    sound = operate("doctor", "--json", SCHEDULE_BRIDGE_DATABASE=str(other / "bridge.db"))
    assert json.loads(sound.stdout)["findings"] == []
    with running_bridge(other) as restored:
        assert restored.ask("GET", f"/executions/{run}")["state"] == "pending"
        assert len(restored.ask("GET", "/decisions")["decisions"]) == 1


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    with running_bridge(tmp_path):
        copy = tmp_path / "copy"
        copy.write_text("mine")
        said = operate("backup", str(copy), "--database", str(tmp_path / "bridge.db"))
    assert said.exit_code == 1
    assert said.stderr == f"{copy} cannot be made: File exists.\n"
    assert copy.read_text() == "mine"


def test_a_failed_copy_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "bridge.db").write_text("buy milk " * 999)
    copy = tmp_path / "copy"
    said = operate("backup", str(copy), "--database", str(tmp_path / "bridge.db"))
    assert said.exit_code == 1
    assert "is no store of the bridge" in said.stderr
    assert not copy.exists()


def test_a_copy_of_a_damaged_store_is_said_to_be_one(tmp_path: Path) -> None:
    """Else the good backups of before would go, one after the other."""
    with running_bridge(tmp_path) as bridge:
        for number in range(200):
            bridge.declare(f"t{number}")
    with (tmp_path / "bridge.db").open("r+b") as database:
        database.seek(-20_000, 2)
        database.write(b"\x5a" * 20_000)
    copy = tmp_path / "copy"
    said = operate("backup", str(copy), "--database", str(tmp_path / "bridge.db"))
    assert said.exit_code == 1
    assert "as it is, and it is damaged" in said.stderr
    assert copy.exists()


def test_where_there_is_no_store_there_is_no_copy(tmp_path: Path) -> None:
    said = operate("backup", str(tmp_path / "copy"), "--database", str(tmp_path / "bridge.db"))
    assert said.exit_code == 1
    assert list(tmp_path.iterdir()) == []
