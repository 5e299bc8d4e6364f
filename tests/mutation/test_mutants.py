"""The deliberate faults still apply, and a few of them, others every day, are caught."""

from __future__ import annotations

import ast
import os
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

import pytest

from .mutants import ROOT, Mutant, all_mutants
from .trial import outcome
from .workbench import Workbench

if TYPE_CHECKING:
    from pathlib import Path

TODAY = datetime.now(UTC).date().isoformat()
SEED = os.environ.get("MUTATION_SEED", TODAY)
A_FEW = Random(SEED).sample(all_mutants(), 3)  # noqa: S311 - no secret


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return Workbench(tmp_path_factory.mktemp("workbench"))


def functions_of(path: Path) -> set[str]:
    module = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in module.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("mutant", all_mutants(), ids=lambda mutant: mutant.breaks)
def test_a_mutant_changes_one_place_and_names_a_test(mutant: Mutant) -> None:
    text = (ROOT / mutant.path).read_text(encoding="utf-8")
    broken = mutant.applied_to(text)
    assert broken != text
    compile(broken, mutant.file, "exec")
    file, test = mutant.test.split("::")
    assert test in functions_of(ROOT / file)


def test_no_fault_is_listed_twice() -> None:
    changes = [(mutant.file, mutant.old, mutant.new) for mutant in all_mutants()]
    assert len(set(changes)) == len(changes)


def test_the_copy_without_a_fault_passes(bench: Workbench) -> None:
    verdict = bench.run(*{mutant.test for mutant in A_FEW})
    assert verdict.passed, verdict.printed


@pytest.mark.parametrize("mutant", A_FEW, ids=lambda mutant: f"{SEED}: {mutant.breaks}")
def test_a_few_mutants_of_the_day_are_caught(mutant: Mutant, bench: Workbench) -> None:
    """All of them: `npm run mutation`."""
    as_said, line = outcome(bench, mutant)
    assert as_said, line


def test_a_mutant_that_nothing_catches_survives(bench: Workbench) -> None:
    harmless = Mutant(
        "Nothing", "merging.py", "return newer\n", "return  newer\n", A_FEW[0].caught_by
    )
    assert outcome(bench, harmless) == (False, "SURVIVED  Nothing")


def test_a_mutant_that_no_longer_applies_is_outdated(bench: Workbench) -> None:
    outdated = Mutant("Nothing", "merging.py", "no such text", "", A_FEW[0].caught_by)
    as_said, line = outcome(bench, outdated)
    assert not as_said
    assert line == "OUTDATED  Nothing: found 0 times in merging.py"
