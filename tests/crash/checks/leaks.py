"""At the end, when all is over: nothing is held, and new firings start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crash.checks.violation import Kind, Violation
from crash.closing import PROBE
from crash.record import instant
from schedule_bridge.core.model import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crash.history import History
    from crash.record import Record, Row

_TERMINAL = frozenset(state.value for state in TERMINAL)
_STILL = ("running", "starting", "onHold", "queued")


def nothing_is_held(_: History, record: Record) -> Iterator[Violation]:
    """No run is active, no firing is kept, no trigger is left, no job of a terminated run waits."""
    for row in record.executions:
        if row["state"] not in _TERMINAL or row["payload"] is not None:
            yield Violation(Kind.LEAKED, f"a run is not over: {row}")
    for row in record.held_firings:
        yield Violation(Kind.LEAKED, f"a firing is still held: {row}")
    for row in record.triggers:
        yield Violation(Kind.LEAKED, f"a removed trigger is still there: {row}")
    for view in record.seen_workspaces:
        if any(view[each] for each in _STILL):
            yield Violation(Kind.LEAKED, f"a workspace is not empty: {view}")
    halted = {row["execution_id"] for row in record.executions if row["halted"]}
    for row in record.jobs:
        if row["execution_id"] in halted and row["ended_as"] is None:
            yield Violation(Kind.LEAKED, f"a job of a terminated run is outstanding: {row}")


def new_firings_start(history: History, _: Record) -> Iterator[Violation]:
    """For every lock key and as many as the limit allows."""
    for call in history.calls:
        if call.who == PROBE:
            for decision in call.decisions:
                if decision["decision"] != "started":
                    yield Violation(Kind.LEAKED, f"a firing did not start: {call}")


def api_and_file_agree(_: History, record: Record) -> Iterator[Violation]:
    """The same decisions and runs."""
    decided = {row["firing_id"]: row["verdict"] for row in record.decisions}
    if {view["firingId"]: view["decision"] for view in record.seen_decisions} != decided:
        yield Violation(Kind.WRONG, "the decisions of the API are others than those on record")
    rows = {row["execution_id"]: _as_seen(row) for row in record.executions}
    for view in record.seen_executions:
        seen = (view["state"], view["fencingToken"], instant(view["startedAt"]))
        if rows.pop(view["executionId"], None) != seen:
            yield Violation(Kind.WRONG, f"the run {view} is another one on record")
    for run in rows:
        yield Violation(Kind.WRONG, f"the API does not show the run {run}")


def _as_seen(row: Row) -> tuple[str, int | None, int | None]:
    started = row["started_at"]
    return (row["state"], row["fencing_token"], None if started is None else started // 1000 * 1000)


def nothing_went_wrong_inside(history: History, _: Record) -> Iterator[Violation]:
    """No error in the log, no fault in a file, no answer of 500 or above.

    Nothing was asked while a bridge stopped in order, so 503 is none either.
    """
    for said in history.errors:
        yield Violation(Kind.WRONG, said)
    for call in history.calls:
        if call.status is not None and call.status >= 500:
            yield Violation(Kind.WRONG, f"answered {call.status}: {call}")
