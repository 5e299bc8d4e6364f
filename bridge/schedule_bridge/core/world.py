"""All that the rules are applied to: triggers, what they hold, workspaces, timers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from schedule_bridge.core.agenda import Agenda
from schedule_bridge.core.workspace import Workspace

if TYPE_CHECKING:
    from schedule_bridge.core.model import (
        Duration,
        Execution,
        ExecutionId,
        FiringId,
        Instant,
        Trigger,
        TriggerId,
        WorkspaceId,
    )


class Surroundings(Protocol):
    """What the core is handed because it may not know it: names, and when ticks come."""

    def new_execution_id(self, trigger_id: TriggerId) -> ExecutionId:
        """A name that no execution has had."""
        ...

    def new_firing_id(self) -> FiringId:
        """A name that no firing has had."""
        ...

    def may_keep(self, payload: object) -> bool:
        """Whether a payload that was merged is small enough to be kept."""
        ...

    def interval(self, trigger_id: TriggerId, at: Instant) -> Duration | None:
        """The interval of the trigger's schedule around `at` (R20); None without a schedule."""
        ...


class World:
    """The state of the machine. Only the machine's own modules change it."""

    __slots__ = (
        "_by_trigger",
        "agenda",
        "executions",
        "order",
        "surroundings",
        "triggers",
        "workspaces",
    )

    def __init__(
        self,
        surroundings: Surroundings,
        agenda: Agenda | None = None,
        executions: dict[ExecutionId, Execution] | None = None,
    ) -> None:
        """`executions` is what the active ones are kept in, empty yet."""
        self.surroundings = surroundings
        self.agenda = Agenda() if agenda is None else agenda
        self.triggers: dict[TriggerId, Trigger] = {}
        self.workspaces: dict[WorkspaceId, Workspace] = {}
        self.executions = {} if executions is None else executions
        self.order = 0
        self._by_trigger: dict[TriggerId, dict[ExecutionId, Execution]] = {}

    def workspace(self, workspace_id: WorkspaceId) -> Workspace:
        """The workspace of that name, made when it is first spoken of."""
        found = self.workspaces.get(workspace_id)
        if found is None:
            found = self.workspaces[workspace_id] = Workspace(workspace_id)
        return found

    def forget_if_untouched(self, workspace: Workspace) -> None:
        """Lets go of a workspace that is as if nobody had spoken of it yet."""
        if not (workspace.limit or workspace.fencing_token or workspace.executions):
            del self.workspaces[workspace.workspace_id]

    def next_order(self) -> int:
        """The next place in the order of creation."""
        self.order += 1
        return self.order

    def add(self, execution: Execution) -> None:
        """Takes in an active execution."""
        self.executions[execution.execution_id] = execution
        self._by_trigger.setdefault(execution.trigger_id, {})[execution.execution_id] = execution
        self.workspace(execution.workspace_id).admit(execution)

    def drop(self, execution: Execution) -> None:
        """Takes out an execution that ends."""
        del self.executions[execution.execution_id]
        siblings = self._by_trigger[execution.trigger_id]
        del siblings[execution.execution_id]
        if not siblings:
            del self._by_trigger[execution.trigger_id]
        self.workspace(execution.workspace_id).remove(execution)

    def executions_of(self, trigger_id: TriggerId) -> list[Execution]:
        """The active executions that a trigger started, oldest first."""
        return list(self._by_trigger.get(trigger_id, {}).values())
