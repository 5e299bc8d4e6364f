"""A machine that is looked at after every command."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from schedule_bridge.core import events as happened
from schedule_bridge.core.machine import Machine
from schedule_bridge.core.model import State

from .invariants import check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from schedule_bridge.core.agenda import Agenda
    from schedule_bridge.core.events import Event
    from schedule_bridge.core.model import Duration, ExecutionId, FiringId, Instant, TriggerId
    from schedule_bridge.core.world import Surroundings, World

BEFORE_START = (State.QUEUED, State.ON_HOLD)


class Register:
    """Surroundings that remember which firings there were."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings
        self.firings: set[FiringId] = set()

    def new_execution_id(self, trigger_id: TriggerId) -> ExecutionId:
        return self._surroundings.new_execution_id(trigger_id)

    def new_firing_id(self) -> FiringId:
        firing_id = self._surroundings.new_firing_id()
        self.firings.add(firing_id)
        return firing_id

    def may_keep(self, payload: object) -> bool:
        return self._surroundings.may_keep(payload)

    def interval(self, trigger_id: TriggerId, at: Instant) -> Duration | None:
        return self._surroundings.interval(trigger_id, at)


class Watch:
    """What has to be remembered from command to command to judge the next one."""

    def __init__(self, world: World, register: Register) -> None:
        self.depth = 0
        self.decided: set[FiringId] = set()
        self._world = world
        self._register = register
        self._started: dict[str, int] = {}
        self._tokens: dict[str, int] = {}

    def saw(self, events: Sequence[Event]) -> None:
        """Judges the world after a command, and what the command said."""
        check(self._world)
        self._limits_hold()
        for event in events:
            self._is_decided_once(event)
            self._ends_leave_nothing(event)
            self._tokens_rise(event)
        self._nothing_is_lost()

    def _limits_hold(self) -> None:
        """R16: more may be started than the limit says only if they had started before."""
        for name, workspace in self._world.workspaces.items():
            count, before = len(workspace.started), self._started.get(name, 0)
            assert not workspace.limit or count <= max(workspace.limit, before)
            self._started[name] = count

    def _is_decided_once(self, event: Event) -> None:
        firing = _decided(event)
        assert firing not in self.decided, f"firing {firing} has two final outcomes"
        if firing is not None:
            self.decided.add(firing)

    def _nothing_is_lost(self) -> None:
        """Every firing that there was waits in one place or has its final outcome."""
        waiting = list(_waiting(self._world))
        assert self.decided.isdisjoint(waiting)
        assert len(waiting) + len(self.decided) == len(self._register.firings)

    def _ends_leave_nothing(self, event: Event) -> None:
        if isinstance(event, happened.ExecutionEnded):
            assert event.execution.payload is None
            assert event.execution.timer is None
            assert event.execution.ended_at is not None

    def _tokens_rise(self, event: Event) -> None:
        """R17: fencing tokens only ever rise within the workspace."""
        if isinstance(event, happened.ExecutionStarted):
            token, name = event.execution.fencing_token, event.execution.workspace_id
            assert token is not None
            assert token > self._tokens.get(name, 0)
            self._tokens[name] = token


def _decided(event: Event) -> FiringId | None:
    """The firing that gets its final outcome by this event, if one does."""
    match event:
        case happened.FiringSkipped() | happened.FiringDropped() | happened.FiringMerged():
            return event.firing.firing_id
        case happened.ExecutionStarted():
            return event.execution.firing_id
        case happened.ExecutionEnded(was=was) if was in BEFORE_START:
            return event.execution.firing_id
        case _:
            return None


def _waiting(world: World) -> Iterator[FiringId]:
    for trigger in world.triggers.values():
        yield from (held.firing.firing_id for held in trigger.delayed.values())
        yield from (held.firing_id for held in trigger.buffered.values())
    for execution in world.executions.values():
        if execution.state in BEFORE_START:
            yield execution.firing_id


class WatchedMachine(Machine):
    """The machine; every command of it, refused or not, is followed by a look at the world."""

    def __init__(self, surroundings: Surroundings, agenda: Agenda | None = None) -> None:
        register = Register(surroundings)
        super().__init__(register, agenda)
        self.watch = Watch(self.world, register)


def _watched(command: Callable[..., list[Event]]) -> Callable[..., list[Event]]:
    @wraps(command)
    def run(self: WatchedMachine, *args: Any, **named: Any) -> list[Event]:
        watch, events = self.watch, []
        watch.depth += 1
        try:
            events = command(self, *args, **named)
        finally:
            watch.depth -= 1
            if not watch.depth:
                watch.saw(events)
        return events

    return run


for _name, _command in vars(Machine).copy().items():
    if not _name.startswith("_"):
        setattr(WatchedMachine, _name, _watched(_command))
