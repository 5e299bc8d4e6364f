"""Why a command was refused. A refused command has changed nothing."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """The stable word for it."""

    UNKNOWN_TRIGGER = "unknownTrigger"
    NOT_ACTIVE = "notActive"
    NOT_STARTED = "notStarted"
    NOT_PENDING = "notPending"
    NOT_RUNNING = "notRunning"
    NOT_PAUSED = "notPaused"
    OTHER_CLIENT = "otherClient"
    JOB_EXISTS = "jobExists"
    TOO_MANY_JOBS = "tooManyJobs"
    UNKNOWN_JOB = "unknownJob"
    JOB_CLAIMED = "jobClaimed"
    JOB_ENDED = "jobEnded"
    EXECUTION_OVER = "executionOver"


class Refused(Exception):  # noqa: N818 - the field's word for it; nothing went wrong
    """Raised before anything has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal
