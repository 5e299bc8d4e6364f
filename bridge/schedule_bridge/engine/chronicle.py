"""What is said of decisions in the log and in numbers, once they are durable."""

from __future__ import annotations

import logging
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from schedule_bridge.core import sentences
from schedule_bridge.core.decisions import Decision
from schedule_bridge.core.events import ExecutionEnded
from schedule_bridge.core.model import Execution, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schedule_bridge.core.events import Event
    from schedule_bridge.engine.tally import Tally

log = logging.getLogger("schedule_bridge.decisions")

Fact: TypeAlias = Decision | Execution
"""A decision, or an execution that has ended."""


class Facts:
    """The message of a record of the log: a line for each fact.

    A record of its own for each would cost more than the decision.
    """

    __slots__ = ("facts",)

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts = facts

    def __str__(self) -> str:
        """A sentence a line."""
        return "\n".join(map(sentence, self.facts))


class Chronicle:
    """What one commit makes durable."""

    def __init__(self) -> None:
        self._facts: list[Fact] = []

    def note(self, decisions: Iterable[Decision], happened: Iterable[Event]) -> None:
        """Takes in what came of a command: executions that ended, decisions."""
        self._facts.extend(each.execution for each in happened if isinstance(each, ExecutionEnded))
        self._facts.extend(decisions)

    def say(self) -> None:
        """Logs what is durable now."""
        for level, facts in groupby(self._facts, _level):
            log.log(level, Facts(list(facts)))

    def count(self, tally: Tally) -> None:
        """Counts what is durable now."""
        for fact in self._facts:
            if isinstance(fact, Decision):
                tally.decided(fact)
            else:
                tally.ended(fact)


def sentence(fact: Fact) -> str:
    """What people are told of it."""
    return fact.message if isinstance(fact, Decision) else sentences.ended(fact)


def _level(fact: Fact) -> int:
    return logging.WARNING if _is_expired(fact) else logging.INFO


def _is_expired(fact: Fact) -> bool:
    return isinstance(fact, Execution) and fact.state is State.EXPIRED
