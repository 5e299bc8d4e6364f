"""What a database answers about the past, of one workspace or of all."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from schedule_bridge.store import rows
from schedule_bridge.store.batch import RecentRun
from schedule_bridge.store.postgres import statements
from schedule_bridge.store.postgres.faults import unreadable
from schedule_bridge.store.protocol import TriggerPast

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import Execution, ExecutionId, TriggerId, WorkspaceId
    from schedule_bridge.store.postgres.pools import Pool
    from schedule_bridge.store.protocol import DecisionQuery, ExecutionQuery


class PostgresHistory:
    """Reads without a lease. Of all workspaces, EVERYTHING in place of a workspace's name.

    In a list of executions `order` is their number over all workspaces, so that a list of all can
    be paged through; elsewhere it is the owner's order of creation.
    """

    def __init__(self, pool: Pool, workspace_id: WorkspaceId, name: str) -> None:
        self.workspace_id = workspace_id
        self.name = name
        self._reading = pool

    async def decisions(self, query: DecisionQuery) -> list[tuple[int, Decision]]:
        """Decisions with their numbers, newest first."""
        found = await self._ask(
            statements.READ_DECISIONS,
            *(query.trigger_id, query.since, query.firings_only, query.before, query.limit),
            of=query.workspace_id,
        )
        with self._telling_damage():
            return [(row["number"], rows.read_decision(row)) for row in found]

    async def executions(self, query: ExecutionQuery) -> list[Execution]:
        """Executions, newest first, those that have ended included."""
        found = await self._ask(
            statements.READ_EXECUTIONS,
            *(query.workflow_id, query.trigger_id, query.state, query.before, query.limit),
            of=query.workspace_id,
        )
        with self._telling_damage():
            return [rows.read_execution(row) for row in found]

    async def execution(self, execution_id: ExecutionId) -> Execution | None:
        """One execution with its jobs, or None."""
        found = await self._ask(statements.READ_EXECUTION, execution_id)
        if not found:
            return None
        with self._telling_damage():
            execution = rows.read_execution(found[0])
        jobs = await self._reading.fetch(statements.READ_JOBS, execution_id)
        execution.jobs = {job.job_id: job for job in map(rows.read_job, jobs)}
        return execution

    async def pasts(
        self, trigger_ids: Sequence[TriggerId], *, runs: int, missed: int
    ) -> dict[TriggerId, TriggerPast]:
        """What history holds of triggers, with at most so many runs and stretches of each."""
        pasts = {trigger_id: TriggerPast() for trigger_id in trigger_ids}
        wanted = list(trigger_ids)
        for row in await self._ask(statements.READ_COUNTS, wanted):
            pasts[row["trigger_id"]].counters[row["kind"]] = row["decisions"]
        with self._telling_damage():
            for row in await self._ask(statements.READ_LAST_DECISIONS, wanted):
                pasts[row["trigger_id"]].last_decision = rows.read_decision(row)
            for row in await self._ask(statements.READ_MISSED, wanted, missed):
                pasts[row["trigger_id"]].missed.append(rows.read_missed(row))
            for row in await self._ask(statements.READ_RECENT_RUNS, wanted, runs):
                pasts[row.pop("trigger_id")].recent_runs.append(RecentRun(**row))
        return pasts

    async def _ask(self, sql: str, *values: Any, of: str | None = None) -> list[dict[str, Any]]:
        """The answer about a workspace, or about all that this knows of."""
        if of is not None and self.workspace_id not in ("", of):
            return []
        return await self._reading.fetch(sql, of or self.workspace_id, *values)

    @contextmanager
    def _telling_damage(self) -> Iterator[None]:
        try:
            yield
        except rows.UNREADABLE as error:
            raise unreadable(self.name, error) from error
