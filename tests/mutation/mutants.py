"""The deliberate faults of the core, as the files of `mutants/` list them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CORE = Path("bridge/schedule_bridge/core")
TESTS = Path("tests/core")


class DoesNotApply(ValueError):  # noqa: N818 - reads as what is wrong
    """The text that a mutant replaces is not in its file exactly once."""


@dataclass(frozen=True)
class Mutant:
    """A fault: what it breaks, the change to a file of the core, and the test that catches it."""

    breaks: str
    file: str
    old: str
    new: str
    caught_by: str

    @property
    def path(self) -> Path:
        """The file that it changes, from the root of the project."""
        return CORE / self.file

    @property
    def test(self) -> str:
        """The test that catches it, from the root of the project."""
        return f"{TESTS.as_posix()}/{self.caught_by}"

    def applied_to(self, text: str) -> str:
        """The text of the file with the fault in it.

        Raises:
            DoesNotApply: the old text is not there, or more than once.
        """
        found = text.count(self.old)
        if found != 1:
            raise DoesNotApply(f"{self.breaks}: found {found} times in {self.file}")
        return text.replace(self.old, self.new)


def all_mutants() -> list[Mutant]:
    """All of them, file by file."""
    return [
        Mutant(**entry)
        for file in sorted((Path(__file__).parent / "mutants").glob("*.toml"))
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["mutant"]
    ]
