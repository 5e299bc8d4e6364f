"""Random commands straight to the machine, those of clients and the clock among them.

The simulator has no clients, so detaching, claims by sessions, interruptions and leaps of the
clock are not in the model's scenarios. Here only what must always hold is checked (`watch`), and
that a refused command leaves the world as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from schedule_bridge.core.model import SECOND, Execution, ExecutionId, State
from schedule_bridge.core.refusal import Refused

from .house import House
from .picture import picture
from .scenarios import configurations, executions_named, keys, limits, payloads, triggers_named

if TYPE_CHECKING:
    from collections.abc import Callable

sessions = st.sampled_from([None, "s", "r"])
jobs_named = st.sampled_from(["i", "j"])


class RandomCommands(RuleBasedStateMachine):
    """A house to which anything may happen."""

    def __init__(self) -> None:
        super().__init__()
        self.house = House()
        self.known: dict[ExecutionId, Execution] = {}

    def attempt(self, command: Callable[[], object]) -> None:
        before = picture(self.house.world)
        try:
            command()
        except Refused:
            assert picture(self.house.world) == before
        self.known.update(self.house.world.executions)

    @rule(config=configurations(triggers_named))
    def declare(self, config: dict[str, object]) -> None:
        name = str(config["triggerId"])
        others = {key: value for key, value in config.items() if key != "triggerId"}
        self.attempt(lambda: self.house.set(name, **others))

    @rule(name=triggers_named, payload=payloads, key=keys)
    def fire(self, name: str, payload: object, key: str) -> None:
        self.attempt(lambda: self.house.fire(name, payload, key=key))

    @rule(verb=st.sampled_from(["pause", "resume", "detach", "remove"]), name=triggers_named)
    def trigger_verb(self, verb: str, name: str) -> None:
        self.attempt(lambda: self.house.trigger_verb(verb, name))

    @rule(name=triggers_named)
    def detached_too_long(self, name: str) -> None:
        self.attempt(lambda: self.house.interrupt_detached(name))

    @rule(run=executions_named, session=sessions)
    def claim(self, run: str, session: str | None) -> None:
        self.attempt(lambda: self.house.claim(run, session))

    @rule(run=executions_named, outcome=st.sampled_from([State.COMPLETED, State.FAILED]))
    def finish(self, run: str, outcome: State) -> None:
        self.attempt(lambda: self.house.finish(run, outcome))

    @rule(run=executions_named)
    def interrupt(self, run: str) -> None:
        self.attempt(lambda: self.house.interrupt(run))

    @rule(verb=st.sampled_from(["cancel", "terminate", "pause", "resume"]), run=executions_named)
    def verb(self, verb: str, run: str) -> None:
        self.attempt(lambda: self.house.verb(verb, run))

    @rule(run=executions_named, job=jobs_named)
    def add_job(self, run: str, job: str) -> None:
        self.attempt(lambda: self.house.add_job(run, job))

    @rule(verb=st.sampled_from(["claim", "finish"]), run=executions_named, job=jobs_named)
    def job_verb(self, verb: str, run: str, job: str) -> None:
        if ExecutionId(run) in self.known:
            self.attempt(lambda: self.house.job_verb(verb, self.known[ExecutionId(run)], job))

    @rule(limit=limits, workspace=st.sampled_from(["default", "other"]))
    def limit(self, limit: int, workspace: str) -> None:
        self.attempt(lambda: self.house.limit(limit, workspace))

    @rule(seconds=st.sampled_from([0, 1, 3, 60, 90000]))
    def wait(self, seconds: int) -> None:
        self.attempt(lambda: self.house.wait(seconds))

    @rule(seconds=st.sampled_from([1, 3600]))
    def leap(self, seconds: int) -> None:
        self.house.now += seconds * SECOND
        self.attempt(lambda: self.house.machine.shift(seconds * SECOND, self.house.now))


TestRandomCommands = RandomCommands.TestCase
TestRandomCommands.settings = settings(
    max_examples=60,
    stateful_step_count=50,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
