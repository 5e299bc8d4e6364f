"""The log's lines: one JSON object each, whatever clients call things (security.md)."""

import json
import logging

import pytest

from schedule_bridge.cli.logs import JsonLines

HOSTILE = [
    'a"}\n{"level":"error","message":"forged',
    "a\r\nb",
    "a\u2028b\u2029c\u0085d",
    "\x1b[2Jgone",
    "\u009b2Jgone",
    "user\u202egnp.exe",
    "\u2066inner\u2069",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16") + "\u200b",
]


def line_for(message: str) -> str:
    return JsonLines().format(logging.LogRecord("x", logging.INFO, "", 0, "%s", (message,), None))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_line_stays_one_visible_line_that_says_what_was_said(text: str) -> None:
    line = line_for(text)
    assert line.isprintable()
    assert len(line.splitlines()) == 1
    assert json.loads(line)["message"] == text


def test_the_letters_of_any_script_are_left_alone() -> None:
    assert "Überprüfung 検査" in line_for("Überprüfung 検査")
