"""Runs a scenario: the core on a virtual clock."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from schedule_bridge.core.agenda import Agenda, Rank
from schedule_bridge.core.events import Event, ExecutionStarted
from schedule_bridge.core.machine import FireRequest, Machine
from schedule_bridge.core.model import (
    DelayedFiring,
    Duration,
    Execution,
    ExecutionId,
    FiringId,
    Instant,
    JobId,
    LockKey,
    Reason,
    Source,
    State,
    TriggerConfig,
    TriggerId,
    WorkspaceId,
)
from schedule_bridge.core.refusal import Refused
from schedule_bridge.schedule import parse_schedule, same_period
from schedule_bridge.simulate.output import Printed, describe
from schedule_bridge.simulate.patience import Patience
from schedule_bridge.simulate.room import Room
from schedule_bridge.simulate.scenario import RunTime, Step, read_scenario

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedule_bridge.core.agenda import Timer
    from schedule_bridge.core.world import World
    from schedule_bridge.schedule import Schedule
    from schedule_bridge.simulate.scenario import Scenario

    Watch: TypeAlias = Callable[[list[Event], World], None]


class TooManyEvents(ValueError):  # noqa: N818 - reads as what is wrong
    """The scenario prints more than the caller allows."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"This scenario prints more than {limit} events. Let it end earlier.")


def simulate(
    raw: object,
    *,
    max_events: int | None = None,
    max_seconds: float | None = None,
    max_payload_bytes: int | None = None,
) -> list[Printed]:
    """Runs a scenario of simulate.md and returns what it prints.

    Raises:
        ScenarioRefused: the scenario is not one.
        TooManyEvents: it would print more than `max_events`.
        TakesTooLong: it would take more than `max_seconds` to play.
        PrintsTooMuch: the payloads in it would come to more than `max_payload_bytes`.
    """
    patience = Patience(max_seconds)
    scenario = read_scenario(raw, patience)
    room = Room(max_payload_bytes)
    return play(scenario, max_events=max_events, patience=patience, room=room)


def play(
    scenario: Scenario,
    *,
    max_events: int | None = None,
    watch: Watch | None = None,
    patience: Patience | None = None,
    room: Room | None = None,
) -> list[Printed]:
    """Runs a scenario that has been read; as `simulate` otherwise.

    `watch` is shown the events of each command as they happen, and the world after it.
    """
    simulation = _Simulation(scenario, max_events, room or Room(), watch)
    simulation.run(patience or Patience())
    return simulation.printed


@dataclass(slots=True, frozen=True)
class _Tick:
    trigger_id: TriggerId


@dataclass(slots=True, frozen=True)
class _RunEnd:
    execution: Execution
    outcome: State


class _Surroundings:
    """Names by counting, ticks by the scenario's schedules."""

    def __init__(self) -> None:
        self.schedules: dict[TriggerId, Schedule] = {}
        self._executions: Counter[TriggerId] = Counter()
        self._firings = 0

    def new_execution_id(self, trigger_id: TriggerId) -> ExecutionId:
        self._executions[trigger_id] += 1
        return ExecutionId(f"{trigger_id}#{self._executions[trigger_id]}")

    def new_firing_id(self) -> FiringId:
        self._firings += 1
        return FiringId(str(self._firings))

    def may_keep(self, _payload: object) -> bool:
        return True  # a scenario's own size bounds what comes of it

    def interval(self, trigger_id: TriggerId, at: Instant) -> Duration | None:
        return self.schedules[trigger_id].interval_at(at)


class _Simulation:
    def __init__(
        self, scenario: Scenario, max_events: int | None, room: Room, watch: Watch | None
    ) -> None:
        self.printed: list[Printed] = []
        self._scenario = scenario
        self._max_events = max_events
        self._room = room
        self._watch = watch
        self._agenda = Agenda()
        self._surroundings = _Surroundings()
        self._machine = Machine(self._surroundings, self._agenda)
        self._ticks: dict[TriggerId, Timer] = {}
        self._anchors: dict[TriggerId, Instant] = {}
        self._starts: Counter[TriggerId] = Counter()
        self._jobs: dict[JobId, Execution] = {}
        self._on_execution = {
            "cancel": self._machine.cancel,
            "terminate": self._machine.terminate,
            "pause": self._machine.pause,
            "resume": self._machine.resume,
        }
        self._on_trigger = {
            "pauseTrigger": self._machine.pause_trigger,
            "resumeTrigger": self._machine.resume_trigger,
            "removeTrigger": self._remove_trigger,
        }

    def run(self, patience: Patience) -> None:
        """Plays the scenario from its start to its `until`, inclusive."""
        scenario = self._scenario
        for name, limit in scenario.limits.items():
            self._machine.set_workspace(WorkspaceId(name), limit, scenario.start)
        for config in scenario.triggers:
            self._set_trigger(config, scenario.start)
        for index, step in enumerate(scenario.steps):
            self._agenda.add(step.at, Rank.REQUEST, index, step)
        while (timer := self._agenda.pop(scenario.until)) is not None:
            patience.check()
            self._handle(timer)

    def _handle(self, timer: Timer) -> None:
        now = timer.instant
        match timer.target:
            case Step() as step:
                self._do(step, now)
            case _Tick(trigger_id):
                self._tick(trigger_id, now)
            case _RunEnd(execution, outcome):
                self._try_finish(execution.execution_id, outcome, now)
            case Execution() as execution:
                self._record(self._machine.expire(execution, now))
            case DelayedFiring() as held:
                self._record(self._machine.release_delayed(held, now))
            case other:
                raise AssertionError(f"nobody puts {other!r} on the agenda")

    def _record(self, events: list[Event]) -> None:
        if self._watch is not None:
            self._watch(events, self._machine.world)
        for event in events:
            printed = describe(event, self._scenario.start)
            if printed is not None:
                self.printed.append(printed)
            if isinstance(event, ExecutionStarted):
                self._room.take(event.payload)
                self._claim_at_once(event.execution, event.at)
        if self._max_events is not None and len(self.printed) > self._max_events:
            raise TooManyEvents(self._max_events)

    def _claim_at_once(self, execution: Execution, now: Instant) -> None:
        """Clients claim at once: pending and running are one.

        The start counts also where a later key of the same firing has cancelled it already.
        """
        if not execution.state.terminal:
            self._machine.claim(execution.execution_id, None, now)
        run_time = self._run_time(execution)
        if run_time is None or run_time.duration is None:
            return
        ends = _RunEnd(execution, run_time.outcome)
        self._agenda.add(now + run_time.duration, Rank.RUN_END, execution.order, ends)

    def _run_time(self, execution: Execution) -> RunTime | None:
        own = self._scenario.run_times.get(execution.firing_id)
        runs = self._scenario.runs.get(execution.trigger_id)
        if own is not None or runs is None:
            return own
        nth = self._starts[execution.trigger_id]
        self._starts[execution.trigger_id] += 1
        return RunTime(runs.duration(nth), runs.outcome)

    # ticks

    def _tick(self, trigger_id: TriggerId, now: Instant) -> None:
        self._arm_tick(trigger_id, now)
        request = FireRequest(trigger_id, scheduled_at=now, source=Source.SCHEDULE)
        self._record(self._machine.fire(request, now))

    def _arm_tick(self, trigger_id: TriggerId, now: Instant) -> None:
        """R23: the next tick lies strictly after the one dispatched now."""
        if not self._scenario.ticks:
            return
        upcoming = self._surroundings.schedules[trigger_id].next_after(now)
        if upcoming is not None:
            tick = _Tick(trigger_id)
            self._ticks[trigger_id] = self._agenda.add(upcoming, Rank.TICK, trigger_id, tick)

    def _disarm_tick(self, trigger_id: TriggerId) -> None:
        timer = self._ticks.pop(trigger_id, None)
        if timer is not None:
            timer.disarm()

    # steps

    def _do(self, step: Step, now: Instant) -> None:
        try:
            self._record(self._events_of(step, now))
        except Refused:
            return  # a step on what is not there, or not in a state for it, does nothing

    def _events_of(self, step: Step, now: Instant) -> list[Event]:  # noqa: PLR0911 - a table
        machine, raw, do = self._machine, step.raw, step.do
        if do in self._on_execution:
            return self._on_execution[do](ExecutionId(raw["executionId"]), now)
        if do in self._on_trigger:
            return self._on_trigger[do](TriggerId(raw["triggerId"]), now)
        match do:
            case "fire":
                return machine.fire(_fire_request(step, now), now)
            case "finish":
                return machine.finish(ExecutionId(raw["executionId"]), State(raw["outcome"]), now)
            case "skip":
                return machine.skip(_fire_request(step, now), Reason(raw["reason"]), now)
            case "addJob":
                return self._add_job(ExecutionId(raw["executionId"]), JobId(raw["jobId"]), now)
            case "finishJob":
                return self._finish_job(JobId(raw["jobId"]), now)
            case "setTrigger" if step.trigger is not None:
                return self._set_trigger(step.trigger, now)
            case "setWorkspace":
                limit = raw["maxConcurrentExecutions"]
                return machine.set_workspace(WorkspaceId(raw["workspaceId"]), limit, now)
            case other:
                raise AssertionError(f"nobody makes a step {other!r}")

    def _try_finish(self, execution_id: ExecutionId, outcome: State, now: Instant) -> None:
        try:
            self._record(self._machine.finish(execution_id, outcome, now))
        except Refused:
            return  # it has ended otherwise before

    def _set_trigger(self, config: TriggerConfig, now: Instant) -> list[Event]:
        """The grid of ticks goes on, unless the schedule has changed."""
        known = self._machine.world.triggers.get(config.trigger_id)
        before = None if known is None else known.config
        events = self._machine.set_trigger(config, now)
        if before is None or before.schedule != config.schedule:
            self._begin_grid(config, before, now)
        return events

    def _begin_grid(
        self, config: TriggerConfig, before: TriggerConfig | None, now: Instant
    ) -> None:
        """R23: the anchor stays while the period stays, and is `now` otherwise, unless given."""
        trigger_id = config.trigger_id
        if before is None or not same_period(before.schedule, config.schedule):
            self._anchors[trigger_id] = now
        self._disarm_tick(trigger_id)
        self._surroundings.schedules[trigger_id] = parse_schedule(
            config.schedule, default_anchor=self._anchors[trigger_id]
        )
        self._arm_tick(trigger_id, now)

    def _remove_trigger(self, trigger_id: TriggerId, now: Instant) -> list[Event]:
        events = self._machine.remove_trigger(trigger_id, now)
        self._disarm_tick(trigger_id)
        return events

    def _add_job(self, execution_id: ExecutionId, job_id: JobId, now: Instant) -> list[Event]:
        """A job id is used once in a scenario."""
        if job_id in self._jobs:
            return []
        events = self._machine.add_job(execution_id, job_id, now)
        self._jobs[job_id] = self._machine.world.executions[execution_id]
        return events

    def _finish_job(self, job_id: JobId, now: Instant) -> list[Event]:
        execution = self._jobs.get(job_id)
        return [] if execution is None else self._machine.finish_job(execution, job_id, now)


def _fire_request(step: Step, now: Instant) -> FireRequest:
    raw = step.raw
    return FireRequest(
        trigger_id=TriggerId(raw["triggerId"]),
        scheduled_at=now,
        source=Source.MANUAL,
        payload=raw.get("payload"),
        lock_key=LockKey(raw.get("lockKey") or ""),
        priority=raw.get("priority"),
    )
