"""Each rule, R1 to R27, is named by tests that prove it: in their own docstring or the module's."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parents[1]
RULES = range(1, 28)
OUTSIDE_THE_CORE = {23: ("schedule", "engine"), 24: ("engine",), 25: ("schedule",)}
"""The core is handed ticks and never computes them; these rules are proved where they are made."""

_NAMED = re.compile(r"\bR(\d+)\b(?: to R(\d+)\b)?")


def rules_named(text: str | None) -> set[int]:
    """The numbers of the rules in a text; "R3 to R9" names seven."""
    found = _NAMED.findall(text or "")
    return {n for first, last in found for n in range(int(first), int(last or first) + 1)}


def named_in(path: Path) -> Iterator[set[int]]:
    """For each test of a file, the rules that it or its module names."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    for_all = rules_named(ast.get_docstring(module))
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
            "test"
        ):
            yield for_all | rules_named(ast.get_docstring(node))


@cache
def table() -> dict[int, Counter[str]]:
    """For each rule the files that name it, and how many tests of each do."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for path in sorted(TESTS.rglob("test_*.py")):
        if path == Path(__file__):
            continue
        for rules in named_in(path):
            for rule in rules:
                found[rule][path.relative_to(TESTS).as_posix()] += 1
    return found


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_named_where_it_is_proved(rule: int) -> None:
    folders = {file.split("/")[0] for file in table()[rule]}
    assert folders >= set(OUTSIDE_THE_CORE.get(rule, ("core",)))


def test_no_test_names_a_rule_that_there_is_not() -> None:
    assert set(table()) <= set(RULES)


def test_the_table_of_rules_and_tests(capsys: pytest.CaptureFixture[str]) -> None:
    """Printed, for whoever asks which tests hold a rule."""
    lines = [
        f"R{rule}: " + ", ".join(f"{file} ({count})" for file, count in files.items())
        for rule, files in sorted(table().items())
    ]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert len(lines) == len(RULES)


def test_a_range_names_every_rule_in_it() -> None:
    assert rules_named("R3 to R6, R13: (R20), not R2D2") == {3, 4, 5, 6, 13, 20}
