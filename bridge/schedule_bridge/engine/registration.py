"""A trigger's schedule as the engine keeps it: where its ticks lie and which comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from schedule_bridge.core.configuration import read_trigger_config
from schedule_bridge.schedule import parse_schedule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedule_bridge.core.agenda import Timer
    from schedule_bridge.core.model import Instant, TriggerConfig
    from schedule_bridge.schedule import Schedule


@dataclass(slots=True, eq=False)
class Registration:
    """A declared trigger: the body as it came, its schedule, and its first undecided tick.

    `anchor` is the instant of the first registration of this schedule (R23). `parked` says
    that the next tick waits for the trigger's client and no timer runs for later ones.
    """

    raw: Mapping[str, Any]
    config: TriggerConfig
    schedule: Schedule
    anchor: Instant
    next_tick: Instant | None
    timer: Timer | None = None
    parked: bool = False


def register(raw: Mapping[str, Any], before: Registration | None, now: Instant) -> Registration:
    """The registration that a declared body makes of the one before it (R23).

    The grid of ticks goes on while the schedule stays; another schedule begins a new one.

    Raises:
        ScheduleError: the schedule means nothing.
    """
    config = read_trigger_config(raw)
    if before is not None and before.config.schedule == config.schedule:
        return Registration(raw, config, before.schedule, before.anchor, before.next_tick)
    schedule = parse_schedule(config.schedule, default_anchor=now)
    return Registration(raw, config, schedule, now, schedule.next_after(now))


def read_back(raw: Mapping[str, Any], anchor: Instant, next_tick: Instant | None) -> Registration:
    """The registration that the store kept."""
    config = read_trigger_config(raw)
    schedule = parse_schedule(config.schedule, default_anchor=anchor)
    return Registration(raw, config, schedule, anchor, next_tick)
