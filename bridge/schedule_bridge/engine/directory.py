"""Which workspace of this bridge has what: one look, however many engines there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from schedule_bridge.core.model import Execution, ExecutionId, TriggerId, WorkspaceId
    from schedule_bridge.engine.registration import Registration

K = TypeVar("K")
V = TypeVar("V")


class Listed(dict[K, V], Generic[K, V]):
    """A workspace's things by id, each of them in the bridge's list as well.

    Things come by assignment and go by `del`: the list knows of no other way.
    """

    __slots__ = ("_places", "_workspace_id")

    def __init__(self, places: dict[K, WorkspaceId], workspace_id: WorkspaceId) -> None:
        super().__init__()
        self._places = places
        self._workspace_id = workspace_id

    def __setitem__(self, name: K, thing: V) -> None:
        super().__setitem__(name, thing)
        self._places[name] = self._workspace_id

    def __delitem__(self, name: K) -> None:
        super().__delitem__(name)
        self._strike(name)

    def strike_all(self) -> None:
        """Takes everything off the list: this memory is not asked any more."""
        for name in self:
            self._strike(name)

    def _strike(self, name: K) -> None:
        if self._places.get(name) == self._workspace_id:  # it may have moved to another one
            del self._places[name]


@dataclass(slots=True)
class Directory:
    """Where the triggers and the active executions of all engines of a bridge are.

    It is a hint: whoever follows it asks the engine, which may not decide any more.
    """

    triggers: dict[TriggerId, WorkspaceId] = field(default_factory=dict)
    executions: dict[ExecutionId, WorkspaceId] = field(default_factory=dict)

    def part_of(self, workspace_id: WorkspaceId) -> Part:
        """What a workspace's memory is to keep its things in."""
        return Part(Listed(self.triggers, workspace_id), Listed(self.executions, workspace_id))


@dataclass(slots=True)
class Part:
    """The things of one memory, empty at first."""

    registrations: dict[TriggerId, Registration] = field(default_factory=dict)
    executions: dict[ExecutionId, Execution] = field(default_factory=dict)

    def strike(self) -> None:
        """Takes everything off the list, if there is one."""
        for things in (self.registrations, self.executions):
            if isinstance(things, Listed):
                things.strike_all()
