"""Reading a scenario: what a person wrote, checked, in the core's words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from schedule_bridge.core.configuration import read_trigger_config
from schedule_bridge.core.model import (
    SECOND,
    Duration,
    FiringId,
    Instant,
    State,
    TriggerConfig,
    TriggerId,
)
from schedule_bridge.schedule import ScheduleError, parse_schedule
from schedule_bridge.simulate.patience import Patience
from schedule_bridge.wire.faults import Fault
from schedule_bridge.wire.schemas import validate
from schedule_bridge.wire.times import parse_instant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DEFAULT_START: Instant = 1_767_225_600 * SECOND
"""2026-01-01T00:00:00Z."""


class ScenarioRefused(ValueError):  # noqa: N818 - the field's word for it
    """The scenario cannot be run; `faults` say where and why."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"{fault.pointer or '/'}: {fault.message}" for fault in faults))
        self.faults = faults


@dataclass(slots=True, frozen=True)
class Runs:
    """How long the runs of a trigger take, in turn by start, and how they end by themselves."""

    durations: tuple[Duration, ...]
    outcome: State

    def duration(self, nth: int) -> Duration:
        """How long the run of the nth start takes, counted from 0; the last one is repeated."""
        return self.durations[min(nth, len(self.durations) - 1)]


@dataclass(slots=True, frozen=True)
class RunTime:
    """How long one run takes and how it ends by itself; without a duration it never does."""

    duration: Duration | None
    outcome: State


@dataclass(slots=True, frozen=True)
class Step:
    """Something that is done at an instant; `raw` holds the arguments as written."""

    at: Instant
    do: str
    raw: Mapping[str, Any]
    trigger: TriggerConfig | None


@dataclass(slots=True, frozen=True)
class Scenario:
    """A scenario, ready to be run.

    `run_times` go before `runs`: each is that of the run which a firing makes, by the number of
    the firing, counted from 1. Without `ticks` schedules say how long intervals are, no more.
    """

    start: Instant
    until: Instant
    limits: Mapping[str, int]
    triggers: tuple[TriggerConfig, ...]
    runs: Mapping[TriggerId, Runs]
    steps: tuple[Step, ...]
    run_times: Mapping[FiringId, RunTime] = field(default_factory=dict)
    ticks: bool = True


def read_scenario(raw: object, patience: Patience | None = None) -> Scenario:
    """Checks a scenario and reads it.

    Raises:
        TakesTooLong: patience has run out before.
        ScenarioRefused: it breaks the schema, declares a trigger twice or has a bad schedule.
    """
    faults = validate("scenario", raw)
    if faults or not isinstance(raw, dict):
        raise ScenarioRefused(faults)
    start = parse_instant(raw["start"]) if "start" in raw else DEFAULT_START
    faults = list(_faults_of_triggers(raw, start, patience or Patience()))
    if faults:
        raise ScenarioRefused(faults)
    steps = _read_steps(raw.get("steps", []), start)
    last_step = steps[-1].at if steps else start
    return Scenario(
        start=start,
        until=start + _micros(raw["until"]) if "until" in raw else last_step,
        limits={
            name: workspace.get("maxConcurrentExecutions", 0)
            for name, workspace in raw.get("workspaces", {}).items()
        },
        triggers=tuple(read_trigger_config(trigger) for trigger in raw["triggers"]),
        runs={
            TriggerId(name): _read_runs(runs)
            for name, runs in raw.get("runs", {}).items()
            if "durationSeconds" in runs  # without it a run ends only by a step
        },
        steps=steps,
    )


def _read_steps(raw: list[Mapping[str, Any]], start: Instant) -> tuple[Step, ...]:
    steps = (
        Step(
            at=start + _micros(step["at"]),
            do=step["do"],
            raw=step,
            trigger=read_trigger_config(step["trigger"]) if step["do"] == "setTrigger" else None,
        )
        for step in raw
    )
    return tuple(sorted(steps, key=lambda step: step.at))


def _read_runs(raw: Mapping[str, Any]) -> Runs:
    given = raw["durationSeconds"]
    seconds = given if isinstance(given, list) else [given]
    return Runs(tuple(_micros(value) for value in seconds), State(raw.get("outcome", "completed")))


def _faults_of_triggers(
    raw: Mapping[str, Any], start: Instant, patience: Patience
) -> Iterator[Fault]:
    """What the schema cannot see: the same trigger twice, schedules that mean nothing."""
    seen: set[str] = set()
    for index, trigger in enumerate(raw["triggers"]):
        patience.check()
        pointer = f"/triggers/{index}"
        if trigger["triggerId"] in seen:
            yield Fault(f"{pointer}/triggerId", "This trigger is declared twice.")
        seen.add(trigger["triggerId"])
        yield from _faults_of_schedule(trigger, start, pointer)
    for index, step in enumerate(raw.get("steps", [])):
        patience.check()
        if step["do"] == "setTrigger":
            yield from _faults_of_schedule(step["trigger"], start, f"/steps/{index}/trigger")


def _faults_of_schedule(
    trigger: Mapping[str, Any], start: Instant, pointer: str
) -> Iterator[Fault]:
    try:
        parse_schedule(trigger.get("schedule"), default_anchor=start)
    except ScheduleError as error:
        yield Fault(f"{pointer}/schedule{error.pointer}", str(error))


def _micros(seconds: float) -> Duration:
    """Seconds as written to whole microseconds, at least one where they are more than none."""
    return max(round(seconds * SECOND), 1 if seconds > 0 else 0)
