"""`schedule-bridge simulate`, as scripts and people call it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from schedule_bridge.cli import main
from schedule_bridge.simulate import simulate
from simulate.pictures import every, hour_of, recorded

if TYPE_CHECKING:
    from pathlib import Path

BOM = b"\xef\xbb\xbf"
SCENARIO = hour_of(every(1000, "queue", payload={"n": [1.5, "ü"]}), 1500)
LINE = json.dumps(SCENARIO).encode()
BAD = {
    "empty": b"",
    "blank": b"  \t",
    "cut short": b'{"triggers": [',
    "NaN": b'{"triggers": [], "until": NaN}',
    "5,000 digits": b'{"triggers": [], "until": ' + b"9" * 5000 + b"}",
    "beyond floats": b'{"triggers": [], "until": 1e400}',
    "deep": b"[" * 100_000,
    "deep and closed": b'{"triggers": ' + b"[" * 3000 + b"]" * 3000 + b"}",
    "lone surrogate": b'{"triggers": [{"triggerId": "\\ud800"}]}',
    "not UTF-8": b'{"triggers": [{"triggerId": "\xff"}]}',
    "byte-order mark within": BOM + LINE,
    "NUL": b"\0",
    "null": b"null",
    "unknown field": b'{"triggers": [], "colour": 1}',
}


def run(*arguments: str, text: bytes) -> Result:
    return CliRunner().invoke(main, ["simulate", *arguments, "-"], input=text)


@pytest.mark.parametrize("line", BAD.values(), ids=BAD.keys())
def test_a_bad_line_is_answered_on_its_line_and_the_others_all_the_same(line: bytes) -> None:
    result = run("--lines", text=b"\n".join((LINE, line, LINE)))
    first, second, third = result.stdout.splitlines()
    assert result.exit_code == 2
    assert json.loads(first) == json.loads(third) == simulate(SCENARIO)
    assert list(json.loads(second)) == ["error"]


def test_an_error_names_the_place() -> None:
    text = b'{"triggers": [{"triggerId": "t", "colour": 1}]}'
    assert json.loads(run("--lines", text=text).stdout)["error"].startswith("/triggers/0/colour: ")
    result = run(text=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("/triggers/0/colour: ")


def test_good_lines_end_with_0_whatever_ends_a_line_and_marks_the_beginning() -> None:
    result = run("--lines", text=BOM + LINE + b"\r\n" + LINE + b"\n")
    assert result.exit_code == 0
    assert [json.loads(line) for line in result.stdout.splitlines()] == [simulate(SCENARIO)] * 2


def test_an_answer_is_one_line_even_with_separators_in_its_texts() -> None:
    fire = {"at": 1, "do": "fire", "triggerId": "a\u2028b", "payload": "c\n\u2029\x85d"}
    raw = {"triggers": [{"triggerId": "a\u2028b"}], "steps": [fire]}
    result = run("--lines", text=json.dumps(raw).encode())
    assert result.stdout_bytes.count(b"\n") == 1
    assert json.loads(result.stdout) == simulate(raw)


def test_lines_are_json_only() -> None:
    result = run("--lines", "--format", "svg", text=LINE)
    assert (result.exit_code, result.stdout) == (2, "")
    assert run("--lines", "--format", "json", text=LINE).exit_code == 0


@pytest.mark.parametrize("raw", [SCENARIO, {"triggers": []}])
def test_json_is_what_is_printed_where_there_is_no_terminal(raw: dict[str, Any]) -> None:
    result = run(text=json.dumps(raw).encode())
    assert json.loads(result.stdout) == simulate(raw)


def test_svg_prints_the_picture() -> None:
    result = run("--format", "svg", text=LINE)
    assert result.stdout.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert "3 ticks, 2 runs. 1 still waits." in result.stdout


def test_a_table_shows_times_details_and_the_counts() -> None:
    lines = run("--format", "table", text=LINE).stdout.splitlines()
    (started,) = (line for line in lines if "0:16:40" in line)
    assert all(part in started for part in ("execution.started", "t#1", 'payload {"n":[1.5,"ü"]}'))
    assert lines[-1] == "t: 3 ticks, 2 runs. 1 still waits."


def test_a_table_takes_texts_as_they_are_and_cuts_long_payloads() -> None:
    raw = hour_of(every(3600, "skip", name="[/x] [red]", payload="[bold]" * 1000))
    shown = run("--format", "table", text=json.dumps(raw).encode()).stdout
    assert "[/x] [red]: 1 tick, 1 run." in shown
    assert '"[bold][bold]' in shown
    assert max(map(len, shown.splitlines())) < 200


def test_a_file_is_read_by_name_and_a_missing_one_is_bad_usage(tmp_path: Path) -> None:
    file = tmp_path / "scenario.json"
    file.write_bytes(BOM + LINE)
    assert CliRunner().invoke(main, ["simulate", str(file)]).exit_code == 0
    assert CliRunner().invoke(main, ["simulate", str(tmp_path / "none")]).exit_code == 2


def test_a_reader_that_goes_away_is_no_trouble() -> None:
    command = [sys.executable, "-m", "schedule_bridge", "simulate", "--lines", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(LINE + b"\n" + LINE + b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""


def test_recorded_scenarios_print_the_same_each_time() -> None:
    text = "\n".join(json.dumps(recorded(name)) for name in ("queue-one-pending", "allow-two"))
    assert run("--lines", text=text.encode()).stdout == run("--lines", text=text.encode()).stdout
