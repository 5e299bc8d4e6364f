"""What is found in looking at a store, and how it is said, whatever kind of store it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from schedule_bridge.core.sentences import duration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from schedule_bridge.core.model import Duration

_CLOCK_STEP: Duration = 2 * 1_000_000
"""A difference between engine time and the wall clock below this is not worth a word."""
CORRECT: Final = "No bridge writes this. Put a backup in place, or end the runs that are named."
TABLES: Final = ("triggers", "executions", "decisions", "missed_stretches", "idempotency_keys")
SHOWN_AT_MOST: Final = 20

MODES, VERSION, INTEGRITY, ROWS, CLOCK = "modes", "version", "integrity", "rows", "clock"
CHECKS: Final = (MODES, VERSION, INTEGRITY, ROWS, CLOCK)
"""What is looked at, in order."""


@dataclass(slots=True, frozen=True)
class Finding:
    """What was found in looking at one thing, and what to do; what is not wrong is a note."""

    check: str
    is_wrong: bool
    message: str
    remedy: str = ""


def wrong(check: str, message: str, remedy: str = "") -> Finding:
    """What has to be put right, and how."""
    return Finding(check, is_wrong=True, message=message, remedy=remedy)


def note(check: str, message: str) -> Finding:
    """What is worth knowing."""
    return Finding(check, is_wrong=False, message=message)


@dataclass(slots=True)
class Examination:
    """How a store stands; what could not be looked at is None or empty.

    `ahead` is how far engine time ran ahead of the wall clock at the last commit.
    """

    path: Path | str
    bytes_on_disk: int
    bridge_is_running: bool = False
    schema_version: int | None = None
    ahead: Duration | None = None
    rows: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    checked: set[str] = field(default_factory=set)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not any(finding.is_wrong for finding in self.findings)


def on_version(into: Examination, latest: int) -> Iterator[Finding]:
    """Whether this bridge can use the schema that was found."""
    version = into.schema_version or 0
    if version > latest:
        yield wrong(
            VERSION,
            f"The store has schema version {version}, this bridge knows up to {latest}.",
            "Install the version of the bridge that wrote it, or a later one.",
        )
    elif version < latest:
        yield note(
            VERSION,
            f"The store has schema version {version}; the next start of this bridge makes it "
            f"{latest}, and its rows can be looked at then.",
        )


def on_time(into: Examination, passed: int) -> Iterator[Finding]:
    """How engine time stands, with ticks of so many triggers that have passed undecided."""
    if into.ahead is not None and into.ahead > _CLOCK_STEP:
        yield wrong(
            CLOCK,
            f"Engine time runs {duration(into.ahead)} ahead of the clock of this machine, so "
            "schedules wait for that long.",
            "If the clock is right now, stop the bridge and run: schedule-bridge doctor --clock",
        )
    if passed and not into.bridge_is_running:
        yield note(
            CLOCK,
            f"Ticks of {passed} triggers have passed while no bridge is running. The next start "
            "keeps them as missed, and catches up as the triggers say.",
        )
