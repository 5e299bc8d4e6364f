"""What the routes stand on, and how the engine's refusals are told."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from schedule_bridge.api.aside import Rehearsal
from schedule_bridge.api.problems import InvalidBody, Problem
from schedule_bridge.api.refusals import (
    JobRefused,
    KeyReused,
    NotHandedOver,
    NotInState,
    StoreUnavailable,
    UnknownExecution,
    UnknownJob,
    UnknownTrigger,
)
from schedule_bridge.api.stream.open_links import OpenLinks
from schedule_bridge.core.refusal import Refusal, Refused
from schedule_bridge.engine import (
    ExecutionUnknownError,
    KeyReusedError,
    NotHandedOverError,
    StoreUnavailableError,
    TriggerUnknownError,
)
from schedule_bridge.schedule import ScheduleError
from schedule_bridge.wire.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedule_bridge.api.forwarding import Forwarder
    from schedule_bridge.engine import Estate

PROTOCOL = 1
"""The version of the stream and of what clients may rely on; another one is refused."""

_SENTENCES = {
    Refusal.NOT_ACTIVE: "The execution has ended.",
    Refusal.NOT_STARTED: "The execution has not started.",
    Refusal.NOT_PENDING: "The execution is not pending, so it cannot be claimed.",
    Refusal.NOT_RUNNING: "The execution is not running.",
    Refusal.NOT_PAUSED: "The execution is not paused.",
    Refusal.OTHER_CLIENT: "The execution is another client's.",
}

_JOB_SENTENCES = {
    Refusal.JOB_EXISTS: "The execution has a job of that id already.",
    Refusal.TOO_MANY_JOBS: "The execution has as many jobs as it can have.",
    Refusal.JOB_CLAIMED: "Another worker has claimed the job.",
    Refusal.JOB_ENDED: "The job is finished or was cancelled.",
    Refusal.EXECUTION_OVER: "The job's execution is over.",
}


@dataclass(slots=True, frozen=True)
class Bridge:
    """Who decides, what the service says of itself, where it tries out what would happen.

    `forwarder` leads to the other bridges of the store, where there are any.
    """

    estate: Estate
    version: str
    rehearsal: Rehearsal = field(default_factory=Rehearsal)
    forwarder: Forwarder | None = None
    links: OpenLinks = field(default_factory=OpenLinks)


@contextmanager
def telling_problems(schedule_pointer: str = "/schedule") -> Iterator[None]:
    """Turns what the engine refuses into problems of the wire."""
    try:
        yield
    except Exception as error:
        told = as_told(error, schedule_pointer)
        if told is error:
            raise
        raise told from None


def as_told(error: Exception, schedule_pointer: str = "/schedule") -> Exception:  # noqa: PLR0911 - a table
    """The problem of the wire for what the engine refuses; anything else as it is."""
    match error:
        case TriggerUnknownError():
            return UnknownTrigger(f"No trigger {error} is registered.")
        case ExecutionUnknownError():
            return UnknownExecution(f"No execution {error} is known.")
        case KeyReusedError():
            return KeyReused("Use another Idempotency-Key for another request.")
        case NotHandedOverError():
            return NotHandedOver(str(error))
        case StoreUnavailableError():
            return StoreUnavailable(str(error))
        case ScheduleError(pointer=pointer):
            fault = Fault(schedule_pointer + pointer, str(error))
            return InvalidBody(str(error), faults=(fault,))
        case Refused(refusal=refusal):
            return _refusal(refusal)
        case _:
            return error


def _refusal(refusal: Refusal) -> Problem:
    if refusal in _SENTENCES:
        return NotInState(_SENTENCES[refusal])
    if refusal is Refusal.UNKNOWN_JOB:
        return UnknownJob("The execution has no job of that id.")
    return JobRefused(_JOB_SENTENCES[refusal])
