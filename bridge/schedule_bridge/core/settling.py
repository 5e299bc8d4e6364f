"""R18: after an end or a raised limit, what waited goes on, until nothing moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.gates import begin, has_capacity

if TYPE_CHECKING:
    from schedule_bridge.core.events import Event
    from schedule_bridge.core.model import Instant
    from schedule_bridge.core.workspace import Workspace


def settle(workspace: Workspace, now: Instant, events: list[Event]) -> None:
    """Releases holds, oldest first, then lets queued executions go on in the order of R15.

    One pass is enough: going on takes keys and capacity and gives none back, so nothing that
    could not move before a step can move after it.
    """
    if not workspace.gave_back:
        return
    workspace.gave_back = False
    while workspace.holds and workspace.has_room():
        begin(workspace, next(iter(workspace.holds.values())), now, events)
    for execution in workspace.take_movable():
        if has_capacity(workspace, execution, now, events):
            begin(workspace, execution, now, events)
