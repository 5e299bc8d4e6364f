"""Executions as clients deal with them: claimed, ended, commanded, given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core import ending
from schedule_bridge.core.agenda import Rank
from schedule_bridge.core.model import State
from schedule_bridge.core.refusal import Refusal, Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedule_bridge.core.events import Event
    from schedule_bridge.core.model import ClientId, Execution, ExecutionId, Instant, Reason
    from schedule_bridge.engine.claims import Claims
    from schedule_bridge.engine.ledger import Ledger
    from schedule_bridge.engine.memory import Memory
    from schedule_bridge.engine.presence import Link
    from schedule_bridge.engine.settings import Settings

_CLAIMED = (State.RUNNING, State.PAUSED)
_WAITING = (State.QUEUED, State.ON_HOLD)


class Runs:
    """What befalls executions after the gates."""

    def __init__(self, memory: Memory, ledger: Ledger, claims: Claims, settings: Settings) -> None:
        self._memory = memory
        self._machine = memory.machine
        self._ledger = ledger
        self._claims = claims
        self._settings = settings

    def boot(self, now: Instant) -> None:
        """Takes up what a restart has left open."""
        for execution in self._machine.world.executions.values():
            if execution.state is State.PENDING and execution.client_id is None:
                self._claims.await_claim(execution, now)
            elif execution.state is State.RUNNING and execution.client_id is not None:
                self._grant_grace(execution, now + self._settings.deadline_grace)

    def claim(
        self, execution_id: ExecutionId, now: Instant, *, claimant: Link | None = None
    ) -> Execution:
        """Makes a pending execution running (R17); `claimant` is None for an API call.

        Raises:
            Refused: it is not pending and not this session's already, or another client's.
        """
        self._check_owner(execution_id, claimant)
        session_id = claimant.session_id if claimant is not None else None
        self._ledger.record(self._machine.claim(execution_id, session_id, now), now)
        return self._machine.world.executions[execution_id]

    def finish(
        self,
        execution_id: ExecutionId,
        outcome: State,
        now: Instant,
        *,
        error: str | None = None,
        ended_at: Instant | None = None,
        reporter: Link | None = None,
    ) -> None:
        """Ends a started execution by its own report; `reporter` is None for an API call.

        Raises:
            Refused: it has not started, has ended, is not known, or is another client's.
        """
        self._check_owner(execution_id, reporter)
        session_id = reporter.session_id if reporter is not None else None
        happened = self._machine.finish(
            execution_id, outcome, now, session_id=session_id, error=error, ended_at=ended_at
        )
        self._ledger.record(happened, now, reporter=reporter)

    def command(
        self, verb: Callable[[ExecutionId, Instant], list[Event]], of: ExecutionId, now: Instant
    ) -> None:
        """Cancels, terminates, pauses or resumes an execution: `verb` is the machine's method."""
        self._ledger.record(verb(of, now), now)

    def interrupt(self, execution: Execution, reason: Reason, now: Instant) -> None:
        """Ends an execution that cannot end by itself any more, unless it has ended."""
        if not execution.state.terminal:
            happened = self._machine.interrupt(execution.execution_id, reason, now)
            self._ledger.record(happened, now)

    def expire_passed(self, client_id: ClientId, now: Instant) -> None:
        """R21: the client is here, so its passed deadlines count now."""
        for execution in self._of(client_id, (State.RUNNING,)):
            if execution.deadline is not None and execution.deadline <= now:
                self._ledger.record(self._machine.expire(execution, now), now)

    def claimed_by(self, client_id: ClientId) -> list[Execution]:
        """The client's executions that are running or paused."""
        return self._of(client_id, _CLAIMED)

    def pending_of(self, client_id: ClientId) -> list[Execution]:
        """The client's pending starts in the order in which they were decided."""
        pending = self._of(client_id, (State.PENDING,))
        return sorted(pending, key=lambda execution: execution.fencing_token or 0)

    def waiting_of(self, client_id: ClientId) -> list[Execution]:
        """The client's executions that are queued or on hold."""
        return self._of(client_id, _WAITING)

    def _of(self, client_id: ClientId, states: tuple[State, ...]) -> list[Execution]:
        return [
            execution
            for execution in self._machine.world.executions.values()
            if execution.client_id == client_id and execution.state in states
        ]

    def _check_owner(self, execution_id: ExecutionId, speaker: Link | None) -> None:
        """A trigger may have moved to another client since this one was offered its start."""
        execution = self._machine.world.executions.get(execution_id)
        if speaker is None or execution is None:
            return
        if execution.client_id != speaker.client_id:
            raise Refused(Refusal.OTHER_CLIENT)

    def _grant_grace(self, execution: Execution, until: Instant) -> None:
        """R21: the client may have an end to hand in, so until it is here its deadline waits."""
        if execution.deadline is not None and execution.deadline < until:
            ending.disarm(execution)
            execution.timer = self._memory.agenda.add(
                until, Rank.EXPIRY, execution.order, execution
            )
