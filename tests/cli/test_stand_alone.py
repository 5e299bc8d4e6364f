"""Commands that need no running bridge: preview, simulate, token."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from schedule_bridge.cli import main

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def data_in(folder: Path) -> dict[str, str | None]:
    return {"XDG_DATA_HOME": str(folder), "SCHEDULE_BRIDGE_TOKEN_FILE": None}


def run(*arguments: str, env: Mapping[str, str | None], stdin: bytes = b"") -> tuple[int, str, str]:
    """A command's exit code, and what it printed on both outputs."""
    result = CliRunner().invoke(main, arguments, input=stdin, env=env)
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result.exit_code, result.stdout, result.stderr


SKIP = {
    "until": 1200,
    "triggers": [
        {
            "triggerId": "t1",
            "overlapPolicy": "skip",
            "schedule": {"kind": "interval", "every": 600},
        }
    ],
    "runs": {"t1": {"durationSeconds": 700}},
}
PRINTED = [
    {
        "at": 600,
        "event": "execution.started",
        "triggerId": "t1",
        "executionId": "t1#1",
        "payload": None,
    },
    {"at": 1200, "event": "firing.skipped", "triggerId": "t1", "reason": "active"},
]


def test_a_preview_as_json_shows_both_times(tmp_path: Path) -> None:
    code, out, _ = run(
        *("preview", "30 2 * * *", "--timezone", "Europe/Berlin", "--json"),
        *("--from", "2026-03-28T00:00:00Z", "--count", "2"),
        env=data_in(tmp_path),
    )
    assert (code, json.loads(out)) == (
        0,
        [
            {"at": "2026-03-28T01:30:00.000Z", "local": "2026-03-28T02:30:00+01:00"},
            {"at": "2026-03-29T01:00:00.000Z", "local": "2026-03-29T03:00:00+02:00"},
        ],
    )


def test_a_preview_for_people_is_a_table(tmp_path: Path) -> None:
    env = data_in(tmp_path)
    code, out, _ = run("preview", "0 12 * * *", "--from", "2026-01-01T00:00:00Z", env=env)
    assert code == 0
    assert "2026-01-01T12:00:00.000Z" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["0 0 30 2 *"], "never"),
        (["61 * * * *"], "61"),
        (["* * * * *", "--timezone", "Mars/Olympus"], "Mars/Olympus"),
        (["* * * * *", "--from", "noon"], "2026-01-01T00:00:00Z"),
        (["* * * * *", "--count", "0"], "0"),
        ([], "EXPRESSION"),
    ],
)
def test_a_bad_preview_says_what_is_wrong(tmp_path: Path, arguments: list[str], said: str) -> None:
    code, out, err = run("preview", *arguments, env=data_in(tmp_path))
    assert (code, out) == (2, "")
    assert said in err


def test_a_scenario_is_simulated(tmp_path: Path) -> None:
    env, scenario = data_in(tmp_path), json.dumps(SKIP).encode()
    code, out, _ = run("simulate", "-", env=env, stdin=scenario)
    assert (code, json.loads(out)) == (0, PRINTED)
    file = tmp_path / "scenario.json"
    file.write_bytes(scenario)
    code, out, _ = run("simulate", str(file), "--format", "table", env=env)
    assert code == 0
    assert "firing.skipped" in out


def test_scenarios_line_by_line(tmp_path: Path) -> None:
    lines = [json.dumps(SKIP), "{", json.dumps({"triggers": [{}]}), json.dumps(SKIP)]
    code, out, _ = run(
        "simulate", "-", "--lines", env=data_in(tmp_path), stdin="\n".join(lines).encode()
    )
    first, second, third, fourth = [json.loads(line) for line in out.splitlines()]
    assert code == 2
    assert first == fourth == PRINTED
    assert second.keys() == third.keys() == {"error"}


@pytest.mark.parametrize(
    ("scenario", "place"),
    [
        (b"{", "line 1, column 2"),
        (b'{"triggers": [{"triggerId": "t", "priority": 0}]}', "/triggers/0/priority"),
        (b'{"triggers": [], "steps": [{"at": 1, "do": "dance"}]}', "/steps/0"),
        (b"\xff", "UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"until": ' + b"9" * 5000 + b"}", "/until"),
    ],
)
def test_a_bad_scenario_is_refused_with_its_place(
    tmp_path: Path, scenario: bytes, place: str
) -> None:
    code, out, err = run("simulate", "-", env=data_in(tmp_path), stdin=scenario)
    assert (code, out) == (2, "")
    assert place in err


def test_the_token_is_the_one_in_the_file(tmp_path: Path) -> None:
    env = data_in(tmp_path)
    code, first, _ = run("token", env=env)
    file = tmp_path / "schedule-bridge" / "token"
    assert (code, first) == (0, file.read_text())
    assert run("token", env=env)[1] == first
    file.chmod(0o644)
    code, out, err = run("token", env=env)
    assert (code, out) == (1, "")
    assert "Others can read" in err


@pytest.mark.parametrize("arguments", [("preview", "0 0 * * *"), ("simulate", "--help")])
def test_an_output_that_takes_nothing_is_told_in_a_sentence(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "schedule_bridge", *arguments]
    with (tmp_path / "full").open("w") as output:
        done = subprocess.run(
            ["/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *command],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "It did not work: File too large.\n")
