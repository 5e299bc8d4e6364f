"""Starts that were offered and wait to be claimed (R17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.core.agenda import Rank

if TYPE_CHECKING:
    from schedule_bridge.core.agenda import Agenda, Timer
    from schedule_bridge.core.model import Duration, Execution, ExecutionId, Instant


@dataclass(slots=True, frozen=True)
class Unclaimed:
    """On the agenda: a start was not claimed in time."""

    execution: Execution


class Claims:
    """One timer for each start that its client, being here, has yet to claim."""

    def __init__(self, agenda: Agenda, patience: Duration) -> None:
        self._agenda = agenda
        self._patience = patience
        self._timers: dict[ExecutionId, Timer] = {}

    def await_claim(self, execution: Execution, now: Instant) -> None:
        """The start was offered now; an earlier offer no longer counts."""
        self.stop_waiting(execution.execution_id)
        self._timers[execution.execution_id] = self._agenda.add(
            now + self._patience, Rank.EXPIRY, execution.order, Unclaimed(execution)
        )

    def stop_waiting(self, execution_id: ExecutionId) -> None:
        """The start was claimed, is over, or its client has left."""
        timer = self._timers.pop(execution_id, None)
        if timer is not None:
            timer.disarm()
