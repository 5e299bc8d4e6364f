"""The core alone: how many ticks a second come from the agenda, are skipped, and are armed again.

`python -m bench.contestants.core_decisions SECONDS TRIGGERS [words]`: with words, each decision is
made, its reason in a sentence that a person reads; else what happened is an event.
"""

from __future__ import annotations

import sys
import time
from itertools import count

from bench.processes import tell
from bench.triggers import declared
from schedule_bridge.core.agenda import Agenda, Rank
from schedule_bridge.core.configuration import read_trigger_config
from schedule_bridge.core.decisions import Scribe
from schedule_bridge.core.machine import FireRequest, Machine
from schedule_bridge.core.model import (
    SECOND,
    Duration,
    ExecutionId,
    FiringId,
    Instant,
    Source,
    TriggerId,
)
from schedule_bridge.schedule import parse_schedule

_EVERY = {"kind": "interval", "every": 1}


class _Names:
    """What the core is handed: names by counting, and the interval."""

    def __init__(self) -> None:
        self._numbers = count()

    def new_execution_id(self, _: TriggerId) -> ExecutionId:
        return ExecutionId(f"{next(self._numbers):x}")

    def new_firing_id(self) -> FiringId:
        return f"{next(self._numbers):x}"  # type: ignore[return-value]  # NewType has to be called

    def may_keep(self, _: object) -> bool:
        return True

    def interval(self, _: TriggerId, at: Instant) -> Duration:  # noqa: ARG002 - the same always
        return SECOND


def main(seconds: float, triggers: int, *, in_words: bool) -> None:
    """Decides for so long, all triggers at each instant, and says how many in a second."""
    agenda = Agenda()
    machine = Machine(_Names(), agenda)
    scribe = Scribe(machine.world, lambda trigger_id: machine.world.triggers[trigger_id].config)
    schedule = parse_schedule(_EVERY, default_anchor=0)
    for number in range(triggers):
        config = read_trigger_config(declared(number, schedule=_EVERY))
        machine.set_trigger(config, 0)
        agenda.add(SECOND, Rank.TICK, config.trigger_id, config.trigger_id)
    now, decided, began = SECOND, 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for timer in agenda.pop_all(now):
            trigger_id = timer.target
            request = FireRequest(trigger_id, now, Source.SCHEDULE)  # type: ignore[arg-type]  # a timer's target is anything
            happened = machine.fire(request, now)
            if in_words:
                scribe.decisions(happened)
            agenda.arm(timer, schedule.next_after(now) or 0)
            decided += 1
        now += SECOND
    tell({"per second": decided / (time.perf_counter() - began)})


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), in_words="words" in sys.argv[3:])
