"""What the printed events mean for each trigger: its firings, what waited, what ran.

Times are microseconds since the scenario's start.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedule_bridge.core.model import Duration, TriggerConfig
    from schedule_bridge.simulate.outcome import Outcome


@dataclass(slots=True, eq=False)
class Run:
    """A run from its start to its end; without an end it outlasts the scenario.

    `expected_end` is when it would have ended by itself, where the scenario says so.
    """

    execution_id: str
    start: Duration
    expected_end: Duration | None
    end: Duration | None = None
    ending: Outcome | None = None


@dataclass(slots=True)
class Stretch:
    """A part of a wait: for what it was, and from when."""

    outcome: Outcome
    start: Duration


@dataclass(slots=True, eq=False)
class Wait:
    """Something that waits: delayed, held, queued or on hold, perhaps one after the other.

    Without an end it still waits when the scenario ends. It ends as it `becomes` a run, by being
    `cancelled`, or by coming to nothing.
    """

    stretches: list[Stretch]
    merges: list[Duration] = field(default_factory=list)
    end: Duration | None = None
    becomes: Run | None = None
    cancelled: bool = False

    @property
    def start(self) -> Duration:
        """When the wait began."""
        return self.stretches[0].start


@dataclass(slots=True)
class Mark:
    """What came of a firing at an instant; `into` is the bar of the same trigger that it began."""

    at: Duration
    outcome: Outcome
    reason: str | None
    into: Run | Wait | None


@dataclass(slots=True)
class Story:
    """All that one trigger did. A firing can leave two marks: delayed first, skipped later.

    `config` is the trigger as first declared; `ticks_only`: nothing but its schedule fired it.
    """

    config: TriggerConfig
    ticks_only: bool
    firings: int = 0
    marks: list[Mark] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
