"""Firings: what was answered counts, once, and has one final outcome."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from crash.cast import CAST
from crash.checks.violation import Kind, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crash.history import Call, History
    from crash.record import Record

FINAL = frozenset({"started", "merged", "skipped", "dropped", "missed"})
_UNTIL_DROPPED = ("merged", "dropped")
"""A firing that was merged into what ends before its start is dropped with it."""


def answered_firings_keep_their_outcome(history: History, record: Record) -> Iterator[Violation]:
    """Every answered decision is on record; a final one as it was answered."""
    kept = {row["firing_id"]: row for row in record.decisions}
    for decision in history.decided():
        row = kept.get(decision["firingId"])
        if row is None:
            yield Violation(Kind.LOST, f"an answered firing is not on record: {decision}")
        elif not _may_follow(decision, row):
            yield Violation(Kind.WRONG, f"answered {decision}, on record {row}")


def _may_follow(decision: dict[str, Any], row: dict[str, Any]) -> bool:
    said, kept = decision["decision"], row["verdict"]
    if said not in FINAL or (said, kept) == _UNTIL_DROPPED:
        return True
    return (said, decision["reason"], decision["executionId"]) == (
        *(kept, row["reason"], row["execution_id"]),
    )


def every_firing_has_a_final_outcome(_: History, record: Record) -> Iterator[Violation]:
    """At the end, when every trigger is removed and every run has ended, nothing is interim."""
    started = {row["firing_id"]: row for row in record.executions}
    for row in record.decisions:
        if row["verdict"] not in FINAL:
            yield Violation(Kind.LOST, f"a firing has no outcome: {row}")
        if row["verdict"] == "started" and row["firing_id"] not in started:
            yield Violation(Kind.LOST, f"a firing has started a run that is not there: {row}")


def every_run_has_its_firing(_: History, record: Record) -> Iterator[Violation]:
    """One run a firing, and its decision says what came of it."""
    decided = {row["firing_id"]: row for row in record.decisions}
    runs = Counter(row["firing_id"] for row in record.executions)
    for row in record.executions:
        decision = decided.get(row["firing_id"])
        expected = "started" if row["fencing_token"] is not None else "dropped"
        if decision is None or decision["verdict"] != expected:
            yield Violation(Kind.WRONG, f"the decision {decision} does not fit the run {row}")
        if runs[row["firing_id"]] > 1:
            yield Violation(Kind.DOUBLED, f"a firing has made several runs: {row}")


def one_name_has_one_answer(history: History, _: Record) -> Iterator[Violation]:
    """A request that named itself is decided once, however often it comes."""
    for key, calls in _named(history).items():
        bodies: dict[str, list[Call]] = defaultdict(list)
        for call in calls:
            if call.done:
                bodies[repr((call.path, call.body))].append(call)
        if len(bodies) > 1:
            yield Violation(Kind.DOUBLED, f"two requests were granted by the name {key}: {calls}")
        yield from _answered_otherwise_later(key, calls)
        for same in bodies.values():
            yield from (
                Violation(Kind.DOUBLED, f"{key} was answered {same[0].value}, then {call.value}")
                for call in same
                if call.value != same[0].value
            )


def _answered_otherwise_later(key: str, calls: list[Call]) -> Iterator[Violation]:
    """What was decided once is never refused later, whatever has become of what it is about."""
    done: list[Call] = []
    for call in calls:
        if call.done:
            done.append(call)
        elif call.status is not None and any(
            (each.path, each.body) == (call.path, call.body) for each in done
        ):
            yield Violation(Kind.LOST, f"{key} was answered with success, then {call}")


def _named(history: History) -> dict[str, list[Call]]:
    found: dict[str, list[Call]] = defaultdict(list)
    for call in history.calls:
        if call.key is not None:
            found[call.key].append(call)
    return found


def no_firing_without_a_request(history: History, record: Record) -> Iterator[Violation]:
    """Without ticks, a firing more than was answered needs a request that was not answered.

    An unanswered request may have been decided or not; one that named itself was asked again
    until it was answered.
    """
    answered = {decision["firingId"] for decision in history.decided()}
    for part in CAST:
        if part.every or part.config.get("on"):
            continue
        path = f"/v1/triggers/{part.trigger_id}/fire"
        unanswered = sum(
            call.path == path and call.status is None and call.key is None for call in history.calls
        )
        more = [
            row
            for row in record.decisions
            if row["trigger_id"] == part.trigger_id and row["firing_id"] not in answered
        ]
        if len(more) > unanswered:
            said = f"{part.trigger_id}: {len(more)} firings for {unanswered} open requests: {more}"
            yield Violation(Kind.DOUBLED, said)
