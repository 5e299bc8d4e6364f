"""Executions that have ended and whose jobs may still be claimed or finished."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedule_bridge.core.model import Execution, ExecutionId

_REMEMBERED_AT_MOST = 10_000


class EndedExecutions:
    """The ones spoken of most recently: one object each, so that two claims of a job meet."""

    def __init__(self) -> None:
        self._of: OrderedDict[ExecutionId, Execution] = OrderedDict()

    def get(self, execution_id: ExecutionId) -> Execution | None:
        """The execution, if it is remembered."""
        return self._of.get(execution_id)

    def remember(self, execution: Execution) -> None:
        """Keeps an execution unless it is there already; the one longest unspoken of goes."""
        self._of.setdefault(execution.execution_id, execution)
        self._of.move_to_end(execution.execution_id)
        if len(self._of) > _REMEMBERED_AT_MOST:
            self._of.popitem(last=False)
