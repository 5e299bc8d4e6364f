"""Two owners never: who held a workspace when what was written there, as the database saw it."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from crash.checks.violation import Kind, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crash.history import History
    from crash.record import Record, Row


_BITS_BELOW_THE_EPOCH = 24
"""R17: of a fencing token; fewer runs than that are started under one epoch here."""


def an_epoch_has_one_owner(_: History, record: Record) -> Iterator[Violation]:
    """A lease that is kept for somebody has no owner, and is that epoch's still."""
    owners: dict[tuple[str, int], set[str]] = defaultdict(set)
    for row in record.holds:
        if row["owner"]:
            owners[row["workspace_id"], row["epoch"]].add(row["owner"])
    for epoch, several in owners.items():
        if len(several) > 1:
            yield Violation(Kind.DOUBLED, f"the epoch {epoch} had the owners {sorted(several)}")


def an_owner_waits_for_the_end_of_the_one_before(_: History, record: Record) -> Iterator[Violation]:
    """Whoever comes has an epoch of its own, after the lease has run out or was given up."""
    for row in record.holds:
        changed = row["owner"] not in ("", row["owner_before"])
        given_up = row["was_over"] or not row["owner_before"]
        if changed and not (given_up and row["epoch"] > row["epoch_before"]):
            yield Violation(Kind.DOUBLED, f"a lease was taken from its owner: {row}")


def every_write_is_under_a_lease(_: History, record: Record) -> Iterator[Violation]:
    """In its own transaction."""
    epochs = _epochs(record)
    for row in record.writes:
        if (row["transaction"], row["workspace_id"]) not in epochs:
            yield Violation(Kind.DOUBLED, f"something was written by nobody's leave: {row}")


def who_writes_is_the_owner(_: History, record: Record) -> Iterator[Violation]:
    """What a bridge believes of its lease, when it writes, is so."""
    held = {
        (row["transaction"], row["workspace_id"]): (row["owner"], row["epoch"])
        for row in record.holds
    }
    for row in record.beliefs:
        if held.get((row["transaction"], row["workspace_id"])) != (row["owner"], row["epoch"]):
            yield Violation(Kind.DOUBLED, f"somebody wrote who was the owner no longer: {row}")


def epochs_only_rise(_: History, record: Record) -> Iterator[Violation]:
    """In the order of commits, by the leases' own numbers and by those of what was written."""
    epochs = _epochs(record)
    writes = [
        {**row, "epoch": epochs[row["transaction"], row["workspace_id"]]}
        for row in record.writes
        if (row["transaction"], row["workspace_id"]) in epochs
    ]
    for rows in (record.holds, writes):
        for of_one in _by_workspace(rows):
            for before, row in pairwise(of_one):
                if row["epoch"] < before["epoch"]:
                    yield Violation(Kind.DOUBLED, f"a late owner wrote {row} after {before}")


def tokens_tell_the_epoch_of_their_start(_: History, record: Record) -> Iterator[Violation]:
    """R17: the owner that gave a token is the one that wrote it first."""
    epochs = _epochs(record)
    written: set[tuple[str, int]] = set()
    for row in record.writes:
        workspace, token = row["workspace_id"], row["fencing_token"]
        if token is None or (workspace, token) in written:
            continue
        written.add((workspace, token))
        epoch = epochs.get((row["transaction"], workspace))
        if token >> _BITS_BELOW_THE_EPOCH != epoch:
            yield Violation(Kind.DOUBLED, f"a token of another epoch than {epoch}: {row}")


def _epochs(record: Record) -> dict[tuple[str, str], int]:
    """Under which epoch a transaction was made, by workspace."""
    return {(row["transaction"], row["workspace_id"]): row["epoch"] for row in record.holds}


def _by_workspace(rows: Iterable[Row]) -> Iterator[list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["workspace_id"]].append(row)
    yield from found.values()
