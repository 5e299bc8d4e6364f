"""The routes, a file for each thing that they speak of; one table lists them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.api.routes import (
    events,
    executions,
    history,
    jobs,
    metrics,
    replays,
    schedules,
    service,
    triggers,
    workspaces,
)

if TYPE_CHECKING:
    from schedule_bridge.api.context import Bridge
    from schedule_bridge.api.route import Route


def all_routes(bridge: Bridge) -> list[Route]:
    """Every route of the bridge but the stream, which speaks WebSocket."""
    parts = (
        *(service, metrics, triggers, replays, executions, jobs),
        *(workspaces, events, history, schedules),
    )
    return [route for part in parts for route in part.routes(bridge)]
