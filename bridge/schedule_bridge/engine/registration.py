"""A trigger's schedule as the engine keeps it: where its ticks lie and which comes next."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from schedule_bridge.core.configuration import read_trigger_config
from schedule_bridge.schedule import ScheduleError, parse_schedule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedule_bridge.core.agenda import Timer
    from schedule_bridge.core.model import Instant, TriggerConfig
    from schedule_bridge.schedule import Schedule

log = logging.getLogger("schedule_bridge.engine")


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


@dataclass(slots=True, frozen=True)
class Draft:
    """A declared body that has been read, its schedule worked out as if it were a new one."""

    raw: Mapping[str, Any]
    config: TriggerConfig
    schedule: Schedule
    anchor: Instant
    next_tick: Instant | None


def draw_up(raw: Mapping[str, Any], now: Instant) -> Draft:
    """Reads a declared body. May be done on any thread: a zone's changes take long to find.

    Raises:
        ScheduleError: the schedule means nothing.
    """
    config = read_trigger_config(raw)
    schedule = parse_schedule(config.schedule, default_anchor=now)
    return Draft(raw, config, schedule, now, schedule.next_after(now))


def register(draft: Draft, before: Registration | None, now: Instant) -> Registration:
    """The registration that a declared body makes of the one before it (R23).

    The grid of ticks goes on while the schedule stays; another schedule begins a new one.
    """
    raw, config = draft.raw, draft.config
    if before is not None and before.config.schedule == config.schedule:
        return Registration(raw, config, before.schedule, before.anchor, before.next_tick)
    if before is not None and _same_period(before.config.schedule, config.schedule):
        schedule = parse_schedule(config.schedule, default_anchor=before.anchor)
        return Registration(raw, config, schedule, before.anchor, schedule.next_after(now))
    next_tick = draft.next_tick
    if next_tick is not None and next_tick <= now:  # it has passed since the draft
        next_tick = draft.schedule.next_after(now)
    return Registration(raw, config, draft.schedule, draft.anchor, next_tick)


def read_back(raw: Mapping[str, Any], anchor: Instant, next_tick: Instant | None) -> Registration:
    """The registration that the store kept.

    A schedule that means nothing any more, such as one in a zone that newer zone data lacks, has
    no ticks until it is declared anew: it must not keep the bridge from starting.
    """
    config = read_trigger_config(raw)
    try:
        schedule = parse_schedule(config.schedule, default_anchor=anchor)
    except ScheduleError as error:
        log.warning(
            "The schedule of trigger %s has no ticks any more: %s",
            *(config.trigger_id, error),
            extra={"action": "schedule"},
        )
        config = replace(config, schedule=None)
        return Registration(raw, config, parse_schedule(None, default_anchor=anchor), anchor, None)
    return Registration(raw, config, schedule, anchor, next_tick)


def _same_period(before: Mapping[str, object] | None, now: Mapping[str, object] | None) -> bool:
    """R23: the anchor stays while `every` stays."""
    if before is None or now is None:
        return False
    return before.get("kind") == now.get("kind") == "interval" and before.get("every") == now.get(
        "every"
    )
