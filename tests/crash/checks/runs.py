"""Runs: claimed once, ended once, never more at a time than the rules allow."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from crash.cast import CAST
from crash.checks.violation import Kind, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crash.history import Call, History
    from crash.record import Record, Row
    from schedule_bridge.core.model import Instant


def no_run_is_claimed_twice(history: History, _: Record) -> Iterator[Violation]:
    """R17: a claim is confirmed to one session."""
    sessions: dict[str, set[str]] = defaultdict(set)
    for claim in history.claims:
        if claim.confirmed:
            sessions[claim.execution_id].add(claim.session)
    for run, holders in sessions.items():
        if len(holders) > 1:
            yield Violation(Kind.DOUBLED, f"run {run} was confirmed to {sorted(holders)}")


def no_job_is_claimed_twice(history: History, _: Record) -> Iterator[Violation]:
    """A job is claimed once; a repeat by name is the same claim."""
    claims: dict[str, list[Call]] = defaultdict(list)
    for call in history.calls:
        if call.done and call.path.endswith("/claim"):
            claims[call.path].append(call)
    for path, granted in claims.items():
        names = {call.key for call in granted}
        if len(names) > 1 or (None in names and len(granted) > 1):
            yield Violation(Kind.DOUBLED, f"{path} was granted to {granted}")


def the_first_end_wins(history: History, record: Record) -> Iterator[Violation]:
    """One report of an end counts, and stays."""
    rows = {row["execution_id"]: row for row in record.executions}
    counted: dict[str, set[str]] = defaultdict(set)
    for end in history.ends:
        if end.ignored:
            continue
        counted[end.execution_id].add(end.request)
        row = rows.get(end.execution_id)
        if row is None or row["state"] != end.outcome:
            yield Violation(Kind.LOST, f"the end {end} was acknowledged, on record is {row}")
    for run, requests in counted.items():
        if len(requests) > 1:
            yield Violation(Kind.DOUBLED, f"run {run} was ended by {sorted(requests)}")


def confirmed_claims_are_kept(history: History, record: Record) -> Iterator[Violation]:
    """Whoever was confirmed has started the run."""
    rows = {row["execution_id"]: row for row in record.executions}
    for claim in history.claims:
        row = rows.get(claim.execution_id)
        if claim.confirmed and (row is None or row["started_at"] is None):
            yield Violation(Kind.LOST, f"the claim {claim} was confirmed, on record is {row}")


def clients_know_of_every_end(history: History, _: Record) -> Iterator[Violation]:
    """Who was confirmed a run and still lives has reported its end or been told of it."""
    over = {(end.session, end.execution_id) for end in history.ends}
    over |= {(told.session, told.execution_id) for told in history.told}
    for claim in history.claims:
        lives = claim.session in history.last_sessions
        if claim.confirmed and lives and (claim.session, claim.execution_id) not in over:
            yield Violation(Kind.LOST, f"{claim.session} was not told of the end of {claim}")


def tokens_only_rise(_: History, record: Record) -> Iterator[Violation]:
    """R17: within a workspace, in the order in which runs became pending."""
    for workspace, rows in _by(record.executions, "workspace_id").items():
        started = [row for row in rows if row["fencing_token"] is not None]
        started.sort(key=lambda row: (row["fencing_token"], row["pending_at"]))
        for before, row in pairwise(started):
            same = before["fencing_token"] == row["fencing_token"]
            if same or before["pending_at"] > row["pending_at"]:
                yield Violation(Kind.DOUBLED if same else Kind.WRONG, f"tokens: {before}, {row}")
        last = max((row["fencing_token"] for row in started), default=0)
        kept = {row["workspace_id"]: row["fencing_token"] for row in record.workspaces}
        if kept.get(workspace, 0) < last:
            yield Violation(Kind.LOST, f"workspace {workspace} forgot the token {last}")


def scopes_hold_no_more_than_they_may(_: History, record: Record) -> Iterator[Violation]:
    """R4 to R9: one started run a scope, or `maxConcurrent` of them."""
    at_most: dict[str, int] = {}
    for part in CAST:
        workflow = part.config.get("workflowId", part.trigger_id)
        at_most[workflow] = max(at_most.get(workflow, 1), part.at_most)
    scopes: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in record.executions:
        scopes[row["workspace_id"], row["workflow_id"], row["lock_key"]].append(row)
    for scope, rows in scopes.items():
        for at, count in starts(rows):
            if count > at_most.get(scope[1], 1):
                yield Violation(Kind.DOUBLED, f"{count} runs of the scope {scope} at {at}")


def a_lock_key_has_one_holder(_: History, record: Record) -> Iterator[Violation]:
    """R15: at most one started run of the workspace has the key."""
    keys: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in record.executions:
        if row["lock_key"]:
            keys[row["workspace_id"], row["lock_key"]].append(row)
    for key, rows in keys.items():
        for at, count in starts(rows):
            if count > 1:
                yield Violation(Kind.DOUBLED, f"{count} runs with the lock key {key} at {at}")


def limits_are_kept(history: History, record: Record) -> Iterator[Violation]:
    """R16: no run starts beyond the workspace's limit of that moment."""
    for workspace, rows in _by(record.executions, "workspace_id").items():
        path = f"/v1/workspaces/{workspace}"
        calls = [c for c in history.calls if (c.method, c.path) == ("PUT", path)]
        for at, count in starts(rows):
            limit = _highest_limit(calls, at)
            if limit and count > limit:
                yield Violation(Kind.DOUBLED, f"{count} runs in {workspace}, limit {limit}: {at}")


def _highest_limit(calls: Iterable[Call], at: Instant) -> int:
    """The highest limit that may have been in force; 0 is none. Limits are set one by one.

    One call was set before the other is asked, and may be answered after it has counted.
    """
    in_force = 0
    possible: list[int] = []
    for call in calls:
        if call.asked > at:
            break
        limit = call.body["maxConcurrentExecutions"]
        if call.answered is not None and call.answered <= at:
            in_force, possible = limit, []
        else:
            possible.append(limit)
    return 0 if 0 in (in_force, *possible) else max(in_force, *possible, 0)


def starts(rows: Iterable[Row]) -> Iterator[tuple[Instant, int]]:
    """At every start how many of them are started then; an end at that instant comes first."""
    changes: list[tuple[Instant, int]] = []
    for row in rows:
        if row["pending_at"] is None:
            continue
        changes.append((row["pending_at"], 1))
        if row["ended_at"] is not None:
            changes.append((row["ended_at"], -1))
    count = 0
    for at, change in sorted(changes):
        count += change
        if change > 0:
            yield at, count


def _by(rows: Iterable[Row], column: str) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row[column]].append(row)
    return found
