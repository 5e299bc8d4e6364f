"""Workspaces: their limit, and what counts against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.api.context import Bridge, telling_problems
from schedule_bridge.api.naming import path_id
from schedule_bridge.api.negotiation import answer, read_body
from schedule_bridge.api.peers import is_address
from schedule_bridge.api.problems import InvalidBody
from schedule_bridge.api.refusals import NotHandedOver, StoreUnavailable
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.api.views import workspace_view
from schedule_bridge.core.model import WorkspaceId
from schedule_bridge.core.workspace import Workspace
from schedule_bridge.wire.faults import Fault

if TYPE_CHECKING:
    from aiohttp import web


class _Workspaces:
    def __init__(self, bridge: Bridge) -> None:
        self._estate = bridge.estate

    async def get(self, request: web.Request) -> web.Response:
        workspace_id = WorkspaceId(path_id(request, "workspaceId"))
        with telling_problems():
            house = await (await self._estate.of_workspace(workspace_id)).house()
        # One that nobody has spoken of yet has no limit and nothing in it.
        known = house.machine.world.workspaces.get(workspace_id) or Workspace(workspace_id)
        return answer(request, workspace_view(known))

    async def put(self, request: web.Request) -> web.Response:
        body = await read_body(request, "workspace")
        workspace_id = WorkspaceId(path_id(request, "workspaceId"))
        with telling_problems():
            engine = await self._estate.of_workspace(workspace_id)
            await engine.set_workspace(workspace_id, int(body["maxConcurrentExecutions"]))
        return await self.get(request)

    async def hand_over(self, request: web.Request) -> web.Response:
        body = await read_body(request, "hand-over", optional=True)
        workspace_id = WorkspaceId(path_id(request, "workspaceId"))
        if "to" in body and not is_address(body["to"]):
            fault = Fault("/to", "This is no address of a bridge, such as http://10.0.0.2:8765.")
            raise InvalidBody(fault.message, faults=(fault,))
        with telling_problems():
            address = await self._estate.hand_over(workspace_id, body.get("to"))
        return answer(request, {"workspaceId": workspace_id, "address": address})


def routes(bridge: Bridge) -> list[Route]:
    """The routes on workspaces."""
    on = _Workspaces(bridge)
    path = "/v1/workspaces/{workspaceId}"
    state = Answer("The workspace.", "workspace-state")
    return [
        Route(
            "GET", path, on.get, "Look at a workspace.", {200: state}, problems=(StoreUnavailable,)
        ),
        Route(
            "PUT",
            path,
            on.put,
            "Set a workspace's limit.",
            {200: state},
            body="workspace",
            problems=(StoreUnavailable,),
        ),
        Route(
            "POST",
            f"{path}/hand-over",
            on.hand_over,
            "Let another bridge of the store decide for a workspace.",
            {200: Answer("Which bridge decides for it now.", "hand-over-answer")},
            body="hand-over",
            body_optional=True,
            problems=(NotHandedOver, StoreUnavailable),
        ),
    ]
