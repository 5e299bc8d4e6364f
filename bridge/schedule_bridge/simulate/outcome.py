"""What can come of a firing and of a run, with its hue and its words for people."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class Hue(StrEnum):
    """Blue ran, amber waits, grey did not run, red ended badly."""

    RUN = "run"
    WAIT = "wait"
    NONE = "none"
    BAD = "bad"


class Outcome(StrEnum):
    """What came of a firing, what something waits for, how a run ended; in the legend's order."""

    STARTED = "started"
    SKIPPED = "skipped"
    DROPPED = "dropped"
    QUEUED = "queued"
    MERGED = "merged"
    HELD = "held"
    DELAYED = "delayed"
    ON_HOLD = "onHold"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    TERMINATED = "terminated"
    EXPIRED = "expired"
    FAILED = "failed"


HUES: Final[Mapping[Outcome, Hue]] = {
    Outcome.STARTED: Hue.RUN,
    Outcome.SKIPPED: Hue.NONE,
    Outcome.DROPPED: Hue.NONE,
    Outcome.QUEUED: Hue.WAIT,
    Outcome.MERGED: Hue.WAIT,
    Outcome.HELD: Hue.WAIT,
    Outcome.DELAYED: Hue.WAIT,
    Outcome.ON_HOLD: Hue.WAIT,
    Outcome.COMPLETED: Hue.RUN,
    Outcome.CANCELLED: Hue.BAD,
    Outcome.TERMINATED: Hue.BAD,
    Outcome.EXPIRED: Hue.BAD,
    Outcome.FAILED: Hue.BAD,
}

WORDS: Final[Mapping[Outcome, str]] = {
    Outcome.STARTED: "starts a run",
    Outcome.SKIPPED: "skipped",
    Outcome.DROPPED: "dropped",
    Outcome.QUEUED: "queued",
    Outcome.MERGED: "merged",
    Outcome.HELD: "held in the slot",
    Outcome.DELAYED: "delayed",
    Outcome.ON_HOLD: "on hold",
    Outcome.COMPLETED: "completed",
    Outcome.CANCELLED: "cancelled",
    Outcome.TERMINATED: "terminated",
    Outcome.EXPIRED: "expired",
    Outcome.FAILED: "failed",
}
