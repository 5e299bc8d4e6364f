"""What is said of decisions in the log and in numbers, once they are durable."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from schedule_bridge.core import sentences
from schedule_bridge.core.events import ExecutionEnded
from schedule_bridge.core.model import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.events import Event
    from schedule_bridge.core.model import Execution
    from schedule_bridge.engine.tally import Tally

log = logging.getLogger("schedule_bridge.decisions")


def say(tally: Tally, decisions: Iterable[Decision], happened: Iterable[Event]) -> None:
    """Counts what a commit has made durable, and logs it: executions that ended, decisions."""
    tally.decided(decisions, happened)
    for event in happened:
        if isinstance(event, ExecutionEnded):
            _ended(event.execution)
    for decision in decisions:
        log.info(decision.message, extra={"action": "decision", "decision": decision})


def _ended(execution: Execution) -> None:
    level = logging.WARNING if execution.state is State.EXPIRED else logging.INFO
    said = sentences.ended(execution)
    log.log(level, said, extra={"action": "ended", "execution": execution})
