"""What a check finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What was broken of what is promised."""

    LOST = "lost"
    DOUBLED = "doubled"
    LEAKED = "leaked"
    WRONG = "wrong"


@dataclass(slots=True, frozen=True)
class Violation:
    """One of them, in words."""

    kind: Kind
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"
