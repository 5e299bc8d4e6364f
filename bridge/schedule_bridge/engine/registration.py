"""A trigger as the engine keeps it: what was declared, where its ticks lie and which comes next."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from sys import intern
from typing import TYPE_CHECKING, Any

from schedule_bridge.core.configuration import read_trigger_config
from schedule_bridge.core.model import ClientId, Trigger, WorkspaceId
from schedule_bridge.schedule import ScheduleError, parse_schedule, same_period
from schedule_bridge.store.payloads import pack_value, unpack_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedule_bridge.core.agenda import Timer
    from schedule_bridge.core.model import Instant, TriggerConfig, TriggerId
    from schedule_bridge.schedule import Schedule
    from schedule_bridge.store import TriggerRecord

log = logging.getLogger("schedule_bridge.engine")


@dataclass(slots=True, eq=False)
class Registration:
    """A declared trigger: the body as it came, packed, and its first undecided tick.

    `anchor` is the instant of the first registration of this schedule (R23). `parked` says
    that the next tick waits for the trigger's client and no timer runs for later ones.

    What the body says is read when it is first asked for: a start reads many that nobody asks
    for soon.
    """

    trigger_id: TriggerId
    workspace_id: WorkspaceId
    client_id: ClientId | None
    body: bytes
    anchor: Instant
    next_tick: Instant | None
    timer: Timer | None = None
    parked: bool = False
    _config: TriggerConfig | None = None
    _schedule: Schedule | None = None

    @property
    def raw(self) -> dict[str, Any]:
        """The body as it came."""
        return unpack_object(self.body)

    @property
    def config(self) -> TriggerConfig:
        """What the body means."""
        return self._config or self._read()[0]

    @property
    def schedule(self) -> Schedule:
        """Where the ticks lie."""
        return self._schedule or self._read()[1]

    def says_as(self, body: bytes) -> bool:
        """Whether another packed body says the same, perhaps in another order."""
        return self.body == body or self.raw == unpack_object(body)

    def _read(self) -> tuple[TriggerConfig, Schedule]:
        """Reads the body.

        A schedule that means nothing any more, such as one in a zone that newer zone data lacks,
        has no ticks until it is declared anew: it must keep nothing else from going on.
        """
        config = read_trigger_config(self.raw | {"triggerId": self.trigger_id})  # one string
        try:
            schedule = parse_schedule(config.schedule, default_anchor=self.anchor)
        except ScheduleError as error:
            log.warning(
                "The schedule of trigger %s has no ticks any more: %s",
                *(self.trigger_id, error),
                extra={"action": "schedule"},
            )
            config = replace(config, schedule=None)
            schedule = parse_schedule(None, default_anchor=self.anchor)
        self._config, self._schedule = config, schedule
        return config, schedule


def recompute(registration: Registration, clock: Instant) -> None:
    """Computes the first undecided tick anew: by other zone data ticks lie elsewhere.

    At `clock`, the last commit, all was decided that was due, but for a tick that waited.
    """
    kept = registration.next_tick
    since = clock if kept is None else min(clock, kept - 1)
    registration.next_tick = registration.schedule.next_after(since)


class StoredTrigger(Trigger):
    """A trigger as the store kept it; its configuration is read when it is first asked for."""

    __slots__ = ("_declared_since", "_registration")

    def __init__(self, registration: Registration, record: TriggerRecord) -> None:
        self._registration = registration
        self._declared_since: TriggerConfig | None = None
        self.paused_since = record.paused_since
        self.detached_since = record.detached_since
        self.delayed = {}
        self.buffered = {}

    @property
    def config(self) -> TriggerConfig:
        """What it says, as it was declared last."""
        return self._declared_since or self._registration.config

    @config.setter
    def config(self, config: TriggerConfig) -> None:
        self._declared_since = config


@dataclass(slots=True, frozen=True)
class Draft:
    """A declared body that has been read, its schedule worked out as if it were a new one."""

    body: bytes
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
    return Draft(pack_value(raw), config, schedule, now, schedule.next_after(now))


def register(draft: Draft, before: Registration | None, now: Instant) -> Registration:
    """The registration that a declared body makes of the one before it (R23).

    The grid of ticks goes on while the schedule stays; another schedule begins a new one.
    """
    wanted = draft.config.schedule
    if before is not None and before.config.schedule == wanted:
        return _registered(draft, before.schedule, before.anchor, before.next_tick)
    if before is not None and same_period(before.config.schedule, wanted):
        schedule = parse_schedule(wanted, default_anchor=before.anchor)
        return _registered(draft, schedule, before.anchor, schedule.next_after(now))
    next_tick = draft.next_tick
    if next_tick is not None and next_tick <= now:  # it has passed since the draft
        next_tick = draft.schedule.next_after(now)
    return _registered(draft, draft.schedule, draft.anchor, next_tick)


def _registered(
    draft: Draft, schedule: Schedule, anchor: Instant, next_tick: Instant | None
) -> Registration:
    config = draft.config
    names = (config.trigger_id, config.workspace_id, config.client_id)
    return Registration(*names, draft.body, anchor, next_tick, _config=config, _schedule=schedule)


def read_back(record: TriggerRecord) -> Registration:
    """The registration that the store kept; triggers share the names of workspaces and clients."""
    return Registration(
        trigger_id=record.trigger_id,
        workspace_id=WorkspaceId(intern(record.workspace_id)),
        client_id=None if record.client_id is None else ClientId(intern(record.client_id)),
        body=record.configuration,
        anchor=record.anchor,
        next_tick=record.next_tick,
    )
