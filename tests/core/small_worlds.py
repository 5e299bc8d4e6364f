"""Worlds small enough to try everything in: two triggers, one lock key, one or two workflows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from schedule_bridge.core.configuration import DEFAULT_WORKSPACE
from schedule_bridge.core.model import STARTED, State, TriggerId

from .scenarios import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedule_bridge.core.model import Execution, Trigger
    from schedule_bridge.core.world import World

Step: TypeAlias = dict[str, Any]
"""A command in the words of simulate.md; those of clients and the clock are added to them."""

LIMITS = (1, 2)


@dataclass(frozen=True)
class Alphabet:
    """Which commands there are, and whether starts are claimed at once as in the simulator."""

    firings: tuple[tuple[str, str], ...]
    on_runs: frozenset[str]
    on_triggers: frozenset[str]
    others: frozenset[str]
    claims_at_once: bool = True
    delay_of_t: float = 0


ALPHABETS = {
    "starts and ends": Alphabet(
        firings=(("t", "k"), ("u", "k"), ("u", "")),
        on_runs=frozenset({"finish", "cancel"}),
        on_triggers=frozenset(),
        others=frozenset({"setWorkspace"}),
    ),
    "operators": Alphabet(
        firings=(("t", "k"), ("u", "k")),
        on_runs=frozenset({"finish", "pause", "resume", "addJob", "terminate"}),
        on_triggers=frozenset(
            {"pauseTrigger", "resumeTrigger", "removeTrigger", "setTrigger", "changePolicy"}
        ),
        others=frozenset({"setWorkspace", "wait"}),
    ),
    "delays": Alphabet(
        firings=(("t", "k"), ("u", "k")),
        on_runs=frozenset({"finish", "cancel"}),
        on_triggers=frozenset({"pauseTrigger", "resumeTrigger", "removeTrigger", "setTrigger"}),
        others=frozenset({"wait"}),
        delay_of_t=30,
    ),
    "clients": Alphabet(
        firings=(("t", "k"), ("u", "k")),
        on_runs=frozenset({"claim", "finish", "interrupt"}),
        on_triggers=frozenset({"detach", "detachedTooLong", "setTrigger"}),
        others=frozenset({"wait"}),
        claims_at_once=False,
        delay_of_t=30,
    ),
}


@dataclass(frozen=True)
class SmallWorld:
    """Two triggers `t` and `u`; `u` has the better priority, so that no pair is its mirror image.

    Commands that would be refused are left out: they change nothing, as the table of states by
    commands shows. So are those that end like another one: a started run is finished, one that
    waits is cancelled, and operators terminate what has jobs. Operators and clients act on `t`;
    the pairs see to it that `t` has every policy.
    """

    alphabet: Alphabet
    policies: tuple[str, str]
    limit: int
    workflows: tuple[str, str]

    def triggers(self) -> tuple[Step, Step]:
        """The configurations that the world begins with."""
        return (
            self._trigger(0, priority=5, delaySeconds=self.alphabet.delay_of_t),
            self._trigger(1, priority=4),
        )

    def _trigger(self, index: int, **others: object) -> Step:
        name = "tu"[index]
        return {
            "triggerId": name,
            "workflowId": self.workflows[index],
            "overlapPolicy": self.policies[index],
            "maxConcurrent": 2,
            "maxRunMinutes": 1,
            "payload": {name: 1},
            **others,
        }

    def steps(self, world: World) -> Iterator[Step]:
        """Every command that does something as the world stands."""
        for name, key in self.alphabet.firings:
            if name in world.triggers:
                yield {"do": "fire", "triggerId": name, "lockKey": key}
        for run in world.executions.values():
            yield from self._steps_on_run(run)
        yield from self._steps_on_trigger(world.triggers.get(TriggerId("t")))
        yield from self._other_steps(world)

    def _steps_on_run(self, run: Execution) -> Iterator[Step]:
        for do in sorted(self.alphabet.on_runs & _does_something_to(run)):
            step: Step = {"do": do, "executionId": run.execution_id}
            if do == "finish":
                step["outcome"] = "completed"
            if do == "addJob":
                step["jobId"] = f"j of {run.execution_id}"
            yield step

    def _steps_on_trigger(self, t: Trigger | None) -> Iterator[Step]:
        for do in sorted(self.alphabet.on_triggers & _does_something_to_trigger(t)):
            if do == "setTrigger":
                yield {"do": do, "trigger": self.triggers()[0]}
            elif do != "changePolicy":
                yield {"do": do, "triggerId": "t"}
            elif t and self.policies[0] != self.policies[1]:
                yield self._step_to_the_policy_that_is_not(t.config.policy)

    def _step_to_the_policy_that_is_not(self, present: str) -> Step:
        """`t` takes the policy of `u`, or its own again (R14)."""
        other = self.policies[present == self.policies[0]]
        return {"do": "setTrigger", "trigger": {**self.triggers()[0], "overlapPolicy": other}}

    def _other_steps(self, world: World) -> Iterator[Step]:
        if "setWorkspace" in self.alphabet.others:
            other = sum(LIMITS) - world.workspaces[DEFAULT_WORKSPACE].limit
            yield {
                "do": "setWorkspace",
                "workspaceId": DEFAULT_WORKSPACE,
                "maxConcurrentExecutions": other,
            }
        if "wait" in self.alphabet.others and world.agenda.next_instant() is not None:
            yield {"do": "wait"}


def small_worlds(alphabet: str) -> list[SmallWorld]:
    """Every pair of policies, limit 1 and 2, one workflow and two."""
    return [
        SmallWorld(ALPHABETS[alphabet], (of_t, of_u), limit, workflows)
        for workflows in (("w", "w"), ("w", "x"))
        for limit in LIMITS
        for of_t, of_u in product(POLICIES, repeat=2)
    ]


def _does_something_to(run: Execution) -> set[str]:
    does = {"interrupt", "finish" if run.state in STARTED else "cancel"}
    if run.state is State.PENDING:
        does.add("claim")
    if run.state is State.RUNNING:
        does.add("pause")
    if run.state is State.PAUSED:
        does.add("resume")
    does.add("terminate" if run.jobs else "addJob")
    return does


def _does_something_to_trigger(trigger: Trigger | None) -> set[str]:
    if trigger is None:
        return {"setTrigger"}
    does = {"removeTrigger", "changePolicy"}
    does.add("pauseTrigger" if trigger.paused_since is None else "resumeTrigger")
    if trigger.detached_since is None:
        does.add("detach")
    else:
        does |= {"detachedTooLong", "setTrigger"}
    return does
