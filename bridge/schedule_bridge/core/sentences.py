"""The sentences that people read: why a firing did or did not start."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from schedule_bridge.core.model import DAY, HOUR, MINUTE, SECOND, Reason, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.core.model import Duration, Execution, ExecutionId, Instant, LockKey

_UNITS = ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s"))
_SHORT = 4


def short(execution_id: ExecutionId) -> str:
    """An execution's id as people see it: enough to tell it from its neighbours."""
    return execution_id[:_SHORT]


def duration(span: Duration) -> str:
    """A span in its two largest units: "12 min 4 s", "30 min", "2 h 5 min"."""
    for (size, unit), (next_size, next_unit) in pairwise(_UNITS):
        if span >= size:
            count, rest = divmod(span, size)
            more = rest // next_size
            return f"{count} {unit} {more} {next_unit}" if more else f"{count} {unit}"
    size, unit = _UNITS[-1]
    return f"{span // size} {unit}" if span >= size else "less than a second"


def standing(execution: Execution, now: Instant) -> str:
    """How a run in the way stands: "run 7f3a of this workflow has been running for 12 min"."""
    run = f"run {short(execution.execution_id)} of this workflow"
    match execution.state:
        case State.RUNNING:
            since = execution.started_at if execution.started_at is not None else now
            return f"{run} has been running for {duration(now - since)}"
        case State.PAUSED:
            return f"{run} is paused"
        case State.PENDING:
            return f"{run} is about to start"
        case State.ON_HOLD:
            return f"{run} has been on hold for {duration(now - execution.created_at)}"
        case _:
            return f"{run} has been queued for {duration(now - execution.created_at)}"


def skipped(reason: Reason, in_the_way: Sequence[Execution], limit: int, now: Instant) -> str:
    """Why a firing was skipped (R1, R4, R6)."""
    match reason:
        case Reason.PAUSED:
            return "Skipped: the trigger is paused."
        case Reason.DETACHED:
            return "Skipped: no client declares the trigger at present."
        case Reason.LOCK_KEY_MISSING:
            return "Skipped: the event lacks a field of the trigger's lock key."
        case Reason.MAX_CONCURRENT:
            # a decision names only some of many runs; at least `limit` are active
            active = max(len(in_the_way), limit)
            return f"Skipped: {active} of {limit} runs of this workflow are active."
        case _:
            return f"Skipped: {standing(in_the_way[0], now)}."


def dropped(reason: Reason, execution_id: ExecutionId | None) -> str:
    """Why a firing that was accepted came to nothing."""
    match reason:
        case Reason.BUFFER_FULL:
            return "Dropped: an earlier firing is held in the slot."
        case Reason.REPLACED:
            return "Dropped: the firing that was held runs in its place."
        case Reason.REMOVED:
            return "Dropped: the trigger was removed."
        case Reason.DETACHED:
            return "Dropped: no client has declared the trigger for a while."
        case _:
            run = f"run {short(execution_id)}" if execution_id else "its run"
            return f"Dropped: {run} was cancelled before it started."


def queued(in_the_way: Sequence[Execution], now: Instant) -> str:
    """Why an execution waits behind its scope (R5)."""
    return f"Queued: {standing(in_the_way[0], now)}."


def buffered(in_the_way: Sequence[Execution], now: Instant) -> str:
    """Why a firing is held in the slot (R7)."""
    return f"Held: {standing(in_the_way[0], now)}."


def merged(execution: Execution | None, *, cut: bool = False) -> str:
    """What a firing joined (R12), and whether its payload alone was kept."""
    into = "Merged into the firing that is delayed."
    if execution is not None:
        into = f"Merged into run {short(execution.execution_id)}, which is queued."
    if not cut:
        return into
    return f"{into} The older payload was let go: together they are more than 1 MiB."


def delayed(span: Duration) -> str:
    """How long a firing is held back (R2)."""
    return f"Delayed by {duration(span)}."


def waiting(lock_key: LockKey, ahead: Execution) -> str:
    """Why an execution waits for its lock key (R15)."""
    run = short(ahead.execution_id)
    if ahead.state is State.QUEUED:
        return f"Waiting: run {run} is before it in the line for key {lock_key}."
    return f"Waiting: key {lock_key} is held by run {run}."


def on_hold(workspace_id: str, started: int, limit: int) -> str:
    """Why an execution waits for capacity (R16)."""
    return f"On hold: workspace {workspace_id} runs {started} of {limit}."


def started(execution_id: ExecutionId) -> str:
    """A run started."""
    return f"Started: run {short(execution_id)}."


def ended(execution: Execution) -> str:
    """How a run ended, for the log and for who watches."""
    run = f"run {short(execution.execution_id)}"
    since = execution.started_at
    after = ""
    if since is not None and execution.ended_at is not None:
        after = f" after {duration(execution.ended_at - since)}"
    match execution.state:
        case State.EXPIRED:
            return f"Expired: {run} reached its limit{after}."
        case State.FAILED:
            why = f" “{execution.error}”" if execution.error else ""
            return f"Failed: {run}{after}.{why}"
        case state:
            return f"{state.value.capitalize()}: {run}{after}."


def missed(count: int, until: str, reason: str) -> str:
    """Ticks that did not become firings (R24)."""
    because = {
        "late": "the bridge was late",
        "down": "the bridge was down",
        "store": "the bridge could not write",
        "client": "Node-RED was away",
        "detached": "no client declared the trigger",
    }[reason]
    ticks = "1 tick was" if count == 1 else f"{count} ticks were"
    return f"{ticks} missed until {until}: {because}."
