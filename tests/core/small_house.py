"""A house that plays the steps of a small world one by one, and a model that plays them too."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from schedule_bridge.core.events import ExecutionStarted
from schedule_bridge.core.model import SECOND, State
from schedule_bridge.simulate.output import describe

from .house import House
from .model import Model
from .watch import Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schedule_bridge.core.events import Event

    from .small_worlds import SmallWorld, Step

_ON_TRIGGER = {
    "pauseTrigger": "pause",
    "resumeTrigger": "resume",
    "removeTrigger": "remove",
    "detach": "detach",
}


class SparingWatch(Watch):
    """Remembers every command, but looks at the world only where it has not been looked at."""

    looking = False

    def saw(self, events: Sequence[Event]) -> None:
        if self.looking:
            super().saw(events)
            return
        self._limits_hold()
        for event in events:
            self._is_decided_once(event)
            self._tokens_rise(event)


class SmallHouse(House):
    """The machine in a small world; `printed` is what the simulator would print."""

    def __init__(self, small_world: SmallWorld) -> None:
        super().__init__()
        self.watch = SparingWatch(self.world, self.machine.watch._register)
        self.machine.watch = self.watch
        self.printed: list[dict[str, Any]] = []
        self._claims_at_once = small_world.alphabet.claims_at_once
        self.limit(small_world.limit)
        for config in small_world.triggers():
            self.do({"do": "setTrigger", "trigger": config})

    def do(self, step: Step) -> None:
        """Plays one step, which must not be refused."""
        match step:
            case {"do": "fire", "triggerId": name, "lockKey": key}:
                self.fire(name, key=key)
            case {"do": "setTrigger", "trigger": trigger}:
                self._declare(trigger)
            case {"do": "setWorkspace", "maxConcurrentExecutions": limit}:
                self.limit(limit)
            case {"do": "detachedTooLong", "triggerId": name}:
                self.interrupt_detached(name)
            case {"do": do, "triggerId": name}:
                self.trigger_verb(_ON_TRIGGER[do], name)
            case {"do": do, "executionId": name}:
                self._do_to_run(do, name, step)
            case _:
                self.wait(((self.world.agenda.next_instant() or 0) - self.now) / SECOND)

    def _declare(self, trigger: Step) -> None:
        others = {word: value for word, value in trigger.items() if word != "triggerId"}
        self.set(trigger["triggerId"], **others)

    def _do_to_run(self, do: str, name: str, step: Step) -> None:
        match do:
            case "claim":
                self.claim(name)
            case "finish":
                self.finish(name, State(step["outcome"]))
            case "interrupt":
                self.interrupt(name)
            case "addJob":
                self.add_job(name, step["jobId"])
            case _:
                self.verb(do, name)

    def say(self, events: Iterable[Event]) -> list[str]:
        """Prints, and claims at once what has started where clients do so."""
        for event in events:
            printed = describe(event, 0)
            if printed is not None:
                self.printed.append(printed)
            if self._claims_at_once and isinstance(event, ExecutionStarted):
                self._claim_if_active(event)
        return []

    def _claim_if_active(self, event: ExecutionStarted) -> None:
        if not event.execution.state.terminal:
            self.claim(event.execution.execution_id)


class SmallModel(Model):
    """The model of the same small world."""

    def __init__(self, small_world: SmallWorld) -> None:
        super().__init__({"triggers": [], "workspaces": {}})
        self.limits["default"] = small_world.limit
        for config in small_world.triggers():
            self.declare(config)

    def play_step(self, step: Step) -> None:
        """One step; `wait` handles all that is due at the next instant at which something is."""
        if step["do"] == "wait":
            self._wait()
        else:
            self.do(step)

    def _wait(self) -> None:
        self.now = min((due[0] for due in self.everything_due()), default=math.inf)
        while due := [due for due in self.everything_due() if due[0] <= self.now]:
            _, _, _, handle = min(due, key=lambda due: due[:3])
            handle()


def differences(house: SmallHouse, model: SmallModel) -> str:
    """In what the core and the model differ after the same steps; "" if in nothing."""
    if house.printed != model.printed:
        return f"the core printed\n{house.printed}\nand the model\n{model.printed}"
    states = {run.name: run.state for run in model.active()}
    if house.states() != states:
        return f"the core stands at\n{house.states()}\nand the model at\n{states}"
    return ""
