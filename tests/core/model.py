"""The rules of overlap.md and simulate.md said a second time, as plainly as they can be.

Everything is kept in plain lists and looked up by scanning them; nothing is remembered that can
be counted again. It is slow, and it shares nothing with the core but the rules.
"""

from __future__ import annotations

import math
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from .model_parts import ACTIVE, STARTED, Declared, Json, Run, Waiting, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Due: TypeAlias = "tuple[float, int, tuple[Any, ...], Callable[[], None]]"


def model_simulate(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """What a scenario of interval schedules must print."""
    return Model(scenario).play()


class Model:
    """Lists, and the rules as loops over them."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        self.scenario = scenario
        self.now: float = 0
        self.printed: list[dict[str, Any]] = []
        self.triggers: list[Declared] = []
        self.runs: list[Run] = []
        self.starts: list[str] = []
        self.holds = 0
        self.delays = 0
        self.delayed: list[Waiting] = []
        self.slots: list[Waiting] = []
        self.job_names: list[str] = []
        self.steps: list[dict[str, Any]] = sorted(
            scenario.get("steps", []), key=lambda step: float(step["at"])
        )
        self.limits: dict[str, int] = {
            name: workspace["maxConcurrentExecutions"]
            for name, workspace in scenario.get("workspaces", {}).items()
        }

    # time

    def play(self) -> list[dict[str, Any]]:
        until = self.scenario.get("until", self.steps[-1]["at"] if self.steps else 0)
        for config in self.scenario["triggers"]:
            self.declare(config)
        while True:
            due = [due for due in self.everything_due() if due[0] <= until]
            if not due:
                return self.printed
            self.now, _, _, handle = min(due, key=lambda due: due[:3])
            handle()

    def everything_due(self) -> Iterator[Due]:
        """In the order of R18, the ends that runs come to by themselves before all."""
        for run in self.runs:
            if run.state in STARTED:
                yield run.ends_by_itself, 0, (run.number,), partial(self.own_end, run)
            if run.state == "running":
                yield run.deadline, 1, (run.number,), partial(self.end, run, "expired")
        for held in self.delayed:
            place = (held.priority, held.number)
            yield held.ready_at, 2, place, partial(self.delay_over, held)
        for trigger in self.triggers:
            yield trigger.next_tick, 3, (trigger.name,), partial(self.tick, trigger)
        if self.steps:
            yield self.steps[0]["at"], 4, (), self.next_step

    def next_step(self) -> None:
        self.do(self.steps.pop(0))

    def own_end(self, run: Run) -> None:
        self.end(run, self.scenario["runs"][run.trigger].get("outcome", "completed"))

    def tick(self, trigger: Declared) -> None:
        trigger.next_tick += trigger.config["schedule"]["every"]
        self.fire(trigger, None, "", None)

    def begin_grid(self, trigger: Declared, config: dict[str, Any]) -> None:
        """R23: the anchor is the first registration unless given, and stays while `every` does."""
        schedule = config.get("schedule") or {}
        if schedule.get("every") != (trigger.config.get("schedule") or {}).get("every"):
            trigger.registered = self.now
        trigger.next_tick = self.first_tick(schedule, trigger.registered)

    def first_tick(self, schedule: dict[str, Any], anchor: float) -> float:
        """The first point of the grid strictly after now."""
        if "every" not in schedule:
            return math.inf
        if "anchor" in schedule:
            start = datetime.fromisoformat(self.scenario["start"])
            anchor = (datetime.fromisoformat(schedule["anchor"]) - start).total_seconds()
        every = float(schedule["every"])
        return anchor + every * (math.floor((self.now - anchor) / every) + 1)

    # steps

    def do(self, step: dict[str, Any]) -> None:
        do = step["do"]
        run = next((run for run in self.active() if run.name == step.get("executionId")), None)
        trigger = self.trigger(step.get("triggerId", ""))
        if do == "setTrigger":
            self.declare(step["trigger"])
        elif do == "setWorkspace":
            self.limits[step["workspaceId"]] = step["maxConcurrentExecutions"]
            self.settle(step["workspaceId"])
        elif do == "finishJob":
            self.finish_job(step["jobId"])
        elif trigger:
            self.do_to_trigger(step, trigger)
        elif run:
            self.do_to_run(step, run)

    def do_to_trigger(self, step: dict[str, Any], trigger: Declared) -> None:
        do = step["do"]
        if do == "fire":
            key = step.get("lockKey") or ""
            self.fire(trigger, step.get("payload"), key, step.get("priority"))
        elif do == "removeTrigger":
            self.remove(trigger)
        else:
            trigger.paused = do == "pauseTrigger"

    def do_to_run(self, step: dict[str, Any], run: Run) -> None:
        do = step["do"]
        if do == "finish" and run.state in STARTED:
            self.end(run, step["outcome"])
        elif do == "cancel":
            self.end(run, "cancelled")
        elif do == "terminate":
            self.cancel_jobs(run)
            self.end(run, "cancelled")
        elif do == "pause" and run.state == "running":
            run.state, run.paused_at = "paused", self.now
        elif do == "resume" and run.state == "paused":
            run.state = "running"
            run.deadline += self.now - run.paused_at
        elif do == "addJob" and step["jobId"] not in self.job_names:
            self.job_names.append(step["jobId"])
            run.jobs.append(step["jobId"])

    def finish_job(self, job: str) -> None:
        for run in self.runs:
            if job in run.jobs:
                run.jobs.remove(job)

    def declare(self, config: dict[str, Any]) -> None:
        """R14."""
        trigger = self.trigger(config["triggerId"])
        if trigger is None:
            trigger = Declared(config, registered=self.now)
            self.triggers.append(trigger)
            self.begin_grid(trigger, config)
        elif config.get("schedule") != trigger.config.get("schedule"):
            self.begin_grid(trigger, config)
        trigger.config = config
        trigger.paused = config.get("paused", trigger.paused)

    def remove(self, trigger: Declared) -> None:
        """R14: what started runs on, all else is gone."""
        self.triggers.remove(trigger)
        self.delayed = [held for held in self.delayed if held.trigger != trigger.name]
        self.slots = [held for held in self.slots if held.trigger != trigger.name]
        waiting = [
            run
            for run in self.active()
            if run.trigger == trigger.name and run.state in ("queued", "onHold")
        ]
        for run in waiting:
            self.announce_end(run, "cancelled")
        for workspace in dict.fromkeys(run.workspace for run in waiting):
            self.settle(workspace)

    # the gates

    def fire(self, trigger: Declared, payload: Json, key: str, priority: int | None) -> None:
        """R26, R1, R2."""
        for one in [key] if key else trigger.own_keys():
            firing = Waiting(
                trigger.name,
                one,
                trigger.config.get("payload") if payload is None else payload,
                trigger.config.get("priority", 5) if priority is None else priority,
            )
            if trigger.paused:
                self.say("firing.skipped", triggerId=trigger.name, reason="paused")
            elif trigger.config.get("delaySeconds"):
                self.hold_back(trigger, firing)
            else:
                self.judge(trigger, firing)

    def hold_back(self, trigger: Declared, firing: Waiting) -> None:
        for held in self.delayed:
            if (held.trigger, held.key) == (firing.trigger, firing.key):
                held.payload = merged(held.payload, firing.payload)
                self.say("firing.merged", triggerId=trigger.name)
                return
        self.delays += 1
        firing.number = self.delays
        firing.ready_at = self.now + trigger.config["delaySeconds"]
        self.delayed.append(firing)
        self.say("firing.delayed", triggerId=trigger.name, readyAt=firing.ready_at)

    def delay_over(self, held: Waiting) -> None:
        self.delayed.remove(held)
        trigger = self.trigger(held.trigger)
        if trigger is None:
            raise AssertionError("the delayed firings of a removed trigger are gone")
        self.judge(trigger, held)

    def judge(self, trigger: Declared, firing: Waiting) -> None:
        """R3 to R11."""
        place = (trigger.workspace, trigger.workflow, firing.key)
        inside = [run for run in self.active() if (run.workspace, run.workflow, run.key) == place]
        waiting = [run for run in inside if run.state == "queued"]
        slot = [s for s in self.slots if (s.trigger, s.key) == (firing.trigger, firing.key)]
        if not inside and slot:
            self.slots.remove(slot[0])
            self.say("firing.released", triggerId=trigger.name)
            self.proceed(trigger, slot[0])
        elif not inside:
            self.proceed(trigger, firing)
        elif trigger.policy in ("cancel", "terminate"):
            self.replace(trigger, firing, inside)
        elif trigger.policy in ("queue", "allow") and waiting:
            waiting[0].payload = merged(waiting[0].payload, firing.payload)
            self.say("firing.merged", triggerId=trigger.name, executionId=waiting[0].name)
        elif trigger.policy == "queue":
            run = self.create(trigger, firing)
            self.say("firing.queued", triggerId=trigger.name, executionId=run.name)
        elif trigger.policy == "allow" and len(inside) < trigger.config.get("maxConcurrent", 1):
            self.proceed(trigger, firing)
        elif trigger.policy == "allow":
            self.say("firing.skipped", triggerId=trigger.name, reason="maxConcurrent")
        elif trigger.policy == "buffer" and slot:
            self.say("firing.dropped", triggerId=trigger.name, reason="bufferFull")
        elif trigger.policy == "buffer":
            self.slots.append(firing)
            self.say("firing.buffered", triggerId=trigger.name)
        else:
            self.say("firing.skipped", triggerId=trigger.name, reason="active")

    def replace(self, trigger: Declared, firing: Waiting, inside: list[Run]) -> None:
        """R8, R9: the new one meets its gates before anything is settled."""
        if trigger.policy == "terminate":
            for run in inside:
                self.cancel_jobs(run)
        for run in inside:
            self.announce_end(run, "cancelled")
        self.proceed(trigger, firing)
        self.settle(trigger.workspace)

    def create(self, trigger: Declared, firing: Waiting) -> Run:
        of_trigger = [run for run in self.runs if run.trigger == trigger.name]
        run = Run(
            name=f"{trigger.name}#{len(of_trigger) + 1}",
            trigger=trigger.name,
            workspace=trigger.workspace,
            workflow=trigger.workflow,
            key=firing.key,
            priority=firing.priority,
            payload=firing.payload,
            number=len(self.runs),
        )
        self.runs.append(run)
        return run

    def proceed(self, trigger: Declared, firing: Waiting) -> None:
        run = self.create(trigger, firing)
        if self.key_is_free_for(run):
            self.meet_capacity(run)
        else:
            self.say_of(run, "waiting", lockKey=run.key)

    def key_is_free_for(self, run: Run) -> bool:
        """R15."""
        return not run.key or not any(
            other.state != "queued" or (other.priority, other.number) < (run.priority, run.number)
            for other in self.active()
            if other is not run and (other.workspace, other.key) == (run.workspace, run.key)
        )

    def meet_capacity(self, run: Run) -> None:
        """R16."""
        if self.on_hold(run.workspace) or not self.room(run.workspace):
            self.holds += 1
            run.state, run.held_as = "onHold", self.holds
            self.say_of(run, "onHold")
        else:
            self.start(run)

    def start(self, run: Run) -> None:
        """R17, R20; the client claims at once."""
        trigger = self.trigger(run.trigger)
        if trigger is None:
            raise AssertionError("what a removed trigger had waiting was cancelled")
        run.state = "running"
        run.deadline = self.now + trigger.run_time_allowed()
        self.say_of(run, "started", payload=run.payload)
        if run.trigger in self.scenario.get("runs", {}):
            lasts = self.scenario["runs"][run.trigger]["durationSeconds"]
            in_turn = lasts if isinstance(lasts, list) else [lasts]
            nth = min(self.starts.count(run.trigger), len(in_turn) - 1)
            run.ends_by_itself = self.now + in_turn[nth]
            self.starts.append(run.trigger)

    # ends and settling

    def end(self, run: Run, state: str) -> None:
        self.announce_end(run, state)
        self.settle(run.workspace)

    def announce_end(self, run: Run, state: str) -> None:
        run.state = state
        self.say_of(run, state)

    def cancel_jobs(self, run: Run) -> None:
        for job in run.jobs:
            self.say("job.cancelled", jobId=job, executionId=run.name)
        run.jobs = []

    def settle(self, workspace: str) -> None:
        """R18: one step at a time, and from the beginning after each, until nothing moves."""
        while self.settle_one_step(workspace):
            pass

    def settle_one_step(self, workspace: str) -> bool:
        held = self.on_hold(workspace)
        if held and self.room(workspace):
            self.start(held[0])
            return True
        queued = [r for r in self.active() if r.workspace == workspace and r.state == "queued"]
        for run in sorted(queued, key=lambda run: (run.priority, run.number)):
            if self.alone_in_scope(run) and self.key_is_free_for(run):
                self.meet_capacity(run)
                return True
        return False

    # looking things up

    def trigger(self, name: str) -> Declared | None:
        return next((trigger for trigger in self.triggers if trigger.name == name), None)

    def active(self) -> list[Run]:
        return [run for run in self.runs if run.state in ACTIVE]

    def alone_in_scope(self, run: Run) -> bool:
        scope = (run.workspace, run.workflow, run.key)
        inside = [r for r in self.active() if (r.workspace, r.workflow, r.key) == scope]
        return inside == [run]

    def on_hold(self, workspace: str) -> list[Run]:
        held = [r for r in self.active() if r.workspace == workspace and r.state == "onHold"]
        return sorted(held, key=lambda run: run.held_as)

    def room(self, workspace: str) -> bool:
        started = [r for r in self.active() if r.workspace == workspace and r.state in STARTED]
        limit = self.limits.get(workspace, 0)
        return limit == 0 or len(started) < limit

    # saying what happens

    def say(self, event: str, **fields: Json) -> None:
        self.printed.append({"at": self.now, "event": event, **fields})

    def say_of(self, run: Run, what: str, **fields: Json) -> None:
        self.say(f"execution.{what}", triggerId=run.trigger, executionId=run.name, **fields)
