"""Jobs: pieces of an execution's work, for workers that are not its client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.refusal import Refusal, Refused

if TYPE_CHECKING:
    from schedule_bridge.core.model import Execution, ExecutionId, Instant, Job, JobId
    from schedule_bridge.engine.ledger import Ledger
    from schedule_bridge.engine.memory import Memory


JOBS_AT_MOST = 10_000
"""How many jobs an execution may have: all of them are read with it, and kept while it is."""


class Jobs:
    """Adds, hands out and closes jobs of active and of ended executions."""

    def __init__(self, memory: Memory, ledger: Ledger) -> None:
        self._memory = memory
        self._machine = memory.machine
        self._ledger = ledger

    def add(self, execution_id: ExecutionId, job_id: JobId, name: str, now: Instant) -> Job:
        """Adds an outstanding job to an active execution.

        Raises:
            Refused: the execution has ended, or has a job of that id, or JOBS_AT_MOST of them.
        """
        active = self._machine.world.executions.get(execution_id)
        if active is not None and len(active.jobs) >= JOBS_AT_MOST:
            raise Refused(Refusal.TOO_MANY_JOBS)
        self._ledger.record(self._machine.add_job(execution_id, job_id, now, name=name), now)
        return self._machine.world.executions[execution_id].jobs[job_id]

    def claim(self, execution_id: ExecutionId, job_id: JobId, now: Instant) -> Job:
        """Lets one worker have the job.

        Raises:
            Refused: there is no such job, another has it, or it is not to be had any more.
        """
        execution = self._execution(execution_id)
        self._ledger.record(self._machine.claim_job(execution, job_id, now), now)
        return execution.jobs[job_id]

    def finish(self, execution_id: ExecutionId, job_id: JobId, now: Instant) -> Job:
        """A worker is done with a job.

        Raises:
            Refused: there is no such job, or it is not outstanding any more.
        """
        execution = self._execution(execution_id)
        self._ledger.record(self._machine.finish_job(execution, job_id, now), now)
        return execution.jobs[job_id]

    def state_of(self, execution_id: ExecutionId) -> Execution:
        """The execution that a job is a piece of, active or ended."""
        return self._execution(execution_id)

    def _execution(self, execution_id: ExecutionId) -> Execution:
        active = self._machine.world.executions.get(execution_id)
        execution = active or self._memory.ended.get(execution_id)
        if execution is None:
            raise Refused(Refusal.UNKNOWN_JOB)
        return execution
