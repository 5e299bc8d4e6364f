"""docs/security.md: whatever it says is defended is proved by tests that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and "::" in line
]
AT_LEAST = 18
"""The threats that the bridge was built against, one row each."""


@cache
def names_in(file: str) -> frozenset[str]:
    """The names of a file's tests: functions in Python, the words of `test(...)` in JavaScript."""
    text = (ROOT / file).read_text(encoding="utf-8")
    if file.endswith(".py"):
        nodes = ast.walk(ast.parse(text))
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        return frozenset(node.name for node in nodes if isinstance(node, functions))
    return frozenset(re.findall(r'\btest\("([^"]+)"', text))


def test_every_threat_has_its_row() -> None:
    threats = [row[0] for row in ROWS]
    assert len(set(threats)) == len(threats)
    assert len(threats) >= AT_LEAST


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_names_tests_that_exist(row: list[str]) -> None:
    _threat, _what, proofs = row
    named = re.findall(r"`(tests/[^:`]+)::([^`]+)`", proofs)
    assert named
    for file, test in named:
        assert test in names_in(file), f"{file} has no test {test}"


def test_every_line_of_the_table_is_such_a_row() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")]
    assert len(lines) == len(ROWS) + 2  # the head and the line under it
