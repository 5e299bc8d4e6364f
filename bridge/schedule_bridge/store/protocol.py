"""What the engine asks of a store. Every store passes the one test-suite in tests/store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import (
        DelayedFiring,
        Execution,
        ExecutionId,
        Firing,
        Instant,
        TriggerId,
        WorkspaceId,
    )
    from schedule_bridge.store.batch import (
        Batch,
        IdempotentAnswer,
        MissedStretch,
        RecentRun,
        SkipStreak,
        TriggerRecord,
    )


@dataclass(slots=True)
class WorkspaceRecord:
    """A workspace as the store keeps it."""

    workspace_id: WorkspaceId
    limit: int
    fencing_token: int


@dataclass(slots=True)
class Snapshot:
    """Everything that is not history: what the engine needs in memory.

    `epoch` is the owner's; a store that only one process can have knows none.
    """

    clock: Instant = 0
    order: int = 0
    epoch: int = 0
    workspaces: list[WorkspaceRecord] = field(default_factory=list)
    triggers: list[TriggerRecord] = field(default_factory=list)
    executions: list[Execution] = field(default_factory=list)
    delayed: list[DelayedFiring] = field(default_factory=list)
    buffered: list[Firing] = field(default_factory=list)
    answers: list[IdempotentAnswer] = field(default_factory=list)
    streaks: list[SkipStreak] = field(default_factory=list)


@dataclass(slots=True)
class TriggerPast:
    """What history holds of a trigger.

    `counters` says how many decisions of each kind, by "verdict" or "verdict.reason"; `missed` are
    its latest missed stretches and `recent_runs` its latest runs that have ended, newest first.
    """

    last_decision: Decision | None = None
    counters: dict[str, int] = field(default_factory=dict)
    missed: list[MissedStretch] = field(default_factory=list)
    recent_runs: list[RecentRun] = field(default_factory=list)


@dataclass(slots=True, frozen=True)
class DecisionQuery:
    """Which decisions, newest first; `before` is the number of the last one seen.

    `firings_only` leaves out those that stand for a missed stretch.
    """

    workspace_id: str | None = None
    trigger_id: str | None = None
    since: Instant | None = None
    firings_only: bool = False
    before: int | None = None
    limit: int = 100


@dataclass(slots=True, frozen=True)
class ExecutionQuery:
    """Which executions, newest first; `before` is the creation order of the last one seen."""

    workspace_id: str | None = None
    workflow_id: str | None = None
    trigger_id: str | None = None
    state: str | None = None
    before: int | None = None
    limit: int = 100


@dataclass(slots=True, frozen=True)
class PruneLimits:
    """What history is kept: younger than `before`, and at most the newest `keep` rows of a kind.

    Answers to requests that named themselves are kept if they are younger than `keys_before`.
    """

    before: Instant
    keep: int
    keys_before: Instant


class History(Protocol):
    """What a store answers about the past, whoever owns what is asked about."""

    async def decisions(self, query: DecisionQuery) -> list[tuple[int, Decision]]:
        """Decisions with their numbers, newest first."""
        ...

    async def executions(self, query: ExecutionQuery) -> list[Execution]:
        """Executions without payloads, newest first, those that have ended included."""
        ...

    async def execution(self, execution_id: ExecutionId) -> Execution | None:
        """One execution with its jobs, without its payload, or None."""
        ...

    async def pasts(
        self, trigger_ids: Sequence[TriggerId], *, runs: int, missed: int
    ) -> dict[TriggerId, TriggerPast]:
        """What history holds of triggers, with at most so many runs and stretches of each.

        One past for every id that was asked for; few questions to the store however many these are.
        """
        ...


class Store(History, Protocol):
    """Durable truth of what one owner owns: all workspaces, or a single one.

    `open` and `reopen` make the caller its owner under an epoch, a number that only rises with the
    next owner. Every write is made under that epoch and fails with StaleEpochError once it is not
    the owner's any more, however late it arrives. A store that only one process can have knows no
    epochs: the embedded one keeps others away by the lock beside its file.

    All methods may raise StoreError. A failed append has written nothing, or all of it where only
    the answer was lost on its way; `reopen` settles which, and `load` tells.
    """

    kind: str

    @property
    def schema_version(self) -> int:
        """The number of the schema's version; 0 before `open`."""
        ...

    async def open(self) -> None:
        """Makes or migrates the schema and takes the store for this process."""
        ...

    async def close(self) -> None:
        """Lets go of the store; nothing is pending by then."""
        ...

    async def reopen(self) -> None:
        """After a failure: opens the store anew, still this process's; raises if it is unsound.

        By then an append that was under way is written or never will be.
        """
        ...

    async def load(self) -> Snapshot:
        """Reads what is not history, of what is owned."""
        ...

    async def append(self, batch: Batch) -> None:
        """Writes a batch in one durable commit, under the owner's epoch."""
        ...

    async def prune(self, limits: PruneLimits) -> int:
        """Deletes one small step of what is older than its limits; how many rows went."""
        ...
