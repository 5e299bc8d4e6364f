"""A copy of the core and its unit tests in which faults can be made."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .mutants import ROOT, TESTS, Mutant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SEARCHES = ("test_model.py", "test_random_commands.py", "test_small_worlds.py")
"""They find by chance and by time; a mutant has to be caught by a test that always does."""

SETTINGS = """\
[pytest]
pythonpath = bridge tests
addopts = --import-mode=importlib -x -q --tb=line -rfE -p no:cacheprovider
"""
TESTS_FAILED = 1
LONGEST = 120
"""Seconds that the fast tests never take, should a fault make a loop endless."""


@dataclass(frozen=True)
class Verdict:
    """What tests said: all passed, or one failed as a test fails (`by`), or they could not run."""

    passed: bool
    failed: bool
    by: str
    printed: str


class Workbench:
    """The copy, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for part in ("bridge/schedule_bridge", "schemas", TESTS):
            shutil.copytree(
                ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", ".*")
            )
        (folder / "pytest.ini").write_text(SETTINGS, encoding="utf-8")

    @contextmanager
    def with_fault(self, mutant: Mutant) -> Iterator[None]:
        """The fault is in the copy for so long."""
        path = self._folder / mutant.path
        whole = path.read_text(encoding="utf-8")
        path.write_text(mutant.applied_to(whole), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(whole, encoding="utf-8")

    def run(self, *tests: str) -> Verdict:
        """Runs tests of the copy, all fast ones if none is named, until the first that fails."""
        chosen = tests or (TESTS.as_posix(), *(f"--ignore={TESTS / name}" for name in SEARCHES))
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *chosen],
            cwd=self._folder,
            env=_surroundings(),
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST,
        )
        first = re.search(r"^FAILED (\S+)", done.stdout, re.MULTILINE)
        return Verdict(
            passed=done.returncode == 0,
            failed=done.returncode == TESTS_FAILED,
            by=first[1] if first else "",
            printed=done.stdout,
        )


def _surroundings() -> dict[str, str]:
    """No plugins, which the core needs none of, and no byte code older than the fault."""
    return {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
