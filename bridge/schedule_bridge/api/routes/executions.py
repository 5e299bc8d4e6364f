"""Executions: looked at, claimed, ended."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from schedule_bridge.api.context import Bridge, telling_problems
from schedule_bridge.api.naming import path_id, request_name
from schedule_bridge.api.negotiation import answer
from schedule_bridge.api.query import numeric_cursor, read_query
from schedule_bridge.api.refusals import KeyReused, NotInState, StoreUnavailable, UnknownExecution
from schedule_bridge.api.route import Answer, Route, at_once, deciding
from schedule_bridge.api.views import execution_view, instant
from schedule_bridge.core.machine import Machine
from schedule_bridge.core.model import ExecutionId, State
from schedule_bridge.core.refusal import Refusal, Refused
from schedule_bridge.core.waiting import Lines
from schedule_bridge.engine import ExecutionUnknownError
from schedule_bridge.store import ExecutionQuery
from schedule_bridge.wire.times import parse_instant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from aiohttp import web

    from schedule_bridge.api.asking import Asked, AskedWhole, AtOnce, Decide
    from schedule_bridge.core.events import Event
    from schedule_bridge.core.model import Execution, Instant, WorkspaceId
    from schedule_bridge.engine import House

_PAGE = 100
_FILTERS = ("workspaceId", "workflowId", "triggerId", "state", "limit", "cursor")


class _Executions:
    def __init__(self, bridge: Bridge) -> None:
        self._estate = bridge.estate

    async def page(self, request: web.Request) -> web.Response:
        query = read_query(request, _FILTERS)
        limit = query.get("limit", _PAGE)
        with telling_problems():
            found = await self._estate.executions(
                ExecutionQuery(
                    workspace_id=query.get("workspaceId"),
                    workflow_id=query.get("workflowId"),
                    trigger_id=query.get("triggerId"),
                    state=query.get("state"),
                    before=numeric_cursor(query),
                    limit=limit + 1,
                )
            )
            views = await self._views(found[:limit])
        cursor = str(found[limit - 1].order) if len(found) > limit else None
        return answer(request, {"executions": views, "nextCursor": cursor})

    async def get(self, request: web.Request) -> web.Response:
        with telling_problems():
            return answer(request, await self._view_of(_execution_id(request)))

    async def started(self, asked: Asked) -> dict[str, Any]:
        return await self._decided(asked, {}, _claiming(ExecutionId(asked.target)))

    def started_now(self, asked: AskedWhole) -> AtOnce | None:
        return self._at_once(asked, {}, _claiming(ExecutionId(asked.target)))

    async def finished(self, asked: Asked) -> dict[str, Any]:
        body = await asked.body("finished")
        try:
            return await self._decided(asked, body, _finishing(ExecutionId(asked.target), body))
        except UnknownExecution:
            return _ignored(Refusal.NOT_ACTIVE)

    def finished_now(self, asked: AskedWhole) -> AtOnce | None:
        body = asked.read("finished")
        return self._at_once(asked, body, _finishing(ExecutionId(asked.target), body))

    def verb(self, method: Callable[[Machine, ExecutionId, Instant], list[Event]]) -> Decide:
        async def on_one(asked: Asked) -> dict[str, Any]:
            execution_id = ExecutionId(asked.target)

            def command(house: House, now: Instant) -> dict[str, Any]:
                execution = house.machine.world.executions.get(execution_id)
                house.runs.command(partial(method, house.machine), execution_id, now)
                # Refused if it was not active; whatever the verb, it waits for nothing now.
                return {} if execution is None else execution_view(execution, None)

            return await self._decided(asked, {}, command)

        return on_one

    async def _decided(
        self,
        asked: Asked,
        body: dict[str, Any],
        decide: Callable[[House, Instant], dict[str, Any]],
    ) -> dict[str, Any]:
        name = request_name(asked, body)
        with telling_problems():
            engine = await self._estate.of_execution(ExecutionId(asked.target))
            return await engine.on_execution(ExecutionId(asked.target), name, decide)

    def _at_once(
        self,
        asked: AskedWhole,
        body: dict[str, Any],
        decide: Callable[[House, Instant], dict[str, Any]],
    ) -> AtOnce | None:
        execution_id = ExecutionId(asked.target)
        engine = self._estate.with_execution(execution_id)
        if engine is None:
            return None
        name = request_name(asked, body)
        return engine, lambda: engine.on_execution_now(execution_id, name, decide)

    async def _view_of(self, execution_id: ExecutionId) -> dict[str, Any]:
        engine = await self._estate.of_execution(execution_id)
        execution = await engine.execution(execution_id)
        if execution is None:
            raise ExecutionUnknownError(execution_id)
        return _view(execution, Lines((await engine.house()).machine.world))

    async def _views(self, found: Sequence[Execution]) -> list[dict[str, Any]]:
        lines: dict[WorkspaceId, Lines] = {}
        for workspace_id in {execution.workspace_id for execution in found}:
            engine = self._estate.here(workspace_id)
            if engine is not None:
                lines[workspace_id] = Lines((await engine.house()).machine.world)
        return [_view(execution, lines.get(execution.workspace_id)) for execution in found]


def _view(execution: Execution, lines: Lines | None) -> dict[str, Any]:
    """As it was when it was found: later states of some would show two holders of one key.

    What it waits for is left out if it has gone on or ended since, or is decided elsewhere.
    """
    active = None if lines is None else lines.active(execution.execution_id)
    if lines is None or active is None or active.state is not execution.state:
        return execution_view(execution, None)
    return execution_view(execution, lines.waits_for(active))


def _execution_id(request: web.Request) -> ExecutionId:
    return ExecutionId(path_id(request, "executionId"))


def _claiming(execution_id: ExecutionId) -> Callable[[House, Instant], dict[str, Any]]:
    def claim(house: House, now: Instant) -> dict[str, Any]:
        execution = house.runs.claim(execution_id, now)
        return {
            "confirmed": True,
            "startedAt": instant(execution.started_at),
            "deadline": instant(execution.deadline),
        }

    return claim


def _finishing(
    execution_id: ExecutionId, body: dict[str, Any]
) -> Callable[[House, Instant], dict[str, Any]]:
    ended_at = body.get("endedAt")

    def finish(house: House, now: Instant) -> dict[str, Any]:
        try:
            house.runs.finish(
                execution_id,
                State(body["outcome"]),
                now,
                error=body.get("error"),
                ended_at=None if ended_at is None else parse_instant(ended_at),
            )
        except Refused as refused:
            return _ignored(refused.refusal)
        return {"ignored": False}

    return finish


def _ignored(why: Refusal) -> dict[str, Any]:
    return {"ignored": True, "reason": why.value}


def routes(bridge: Bridge) -> list[Route]:
    """The routes on executions."""
    on = _Executions(bridge)
    one = "/v1/executions/{executionId}"
    execution = Answer("The execution.", "execution")
    refused = (UnknownExecution, NotInState, KeyReused, StoreUnavailable)
    verbs = {
        "pause": (Machine.pause, "Pause a running execution; its deadline stands still."),
        "resume": (Machine.resume, "Resume a paused execution."),
        "cancel": (Machine.cancel, "Cancel an active execution."),
        "terminate": (Machine.terminate, "Cancel its outstanding jobs, then the execution."),
    }
    return [
        Route(
            "GET",
            "/v1/executions",
            on.page,
            "List executions, newest first.",
            {200: Answer("A page of executions.", "executions")},
            query=_FILTERS,
            problems=(StoreUnavailable,),
        ),
        Route(
            "GET",
            one,
            on.get,
            "Look at an execution.",
            {200: execution},
            problems=(UnknownExecution, StoreUnavailable),
        ),
        at_once(
            deciding(
                f"{one}/started",
                on.started,
                "Claim a pending execution (notifyExecutionStarted).",
                Answer("The claim is confirmed.", "started-answer"),
                problems=refused,
            ),
            on.started_now,
        ),
        at_once(
            deciding(
                f"{one}/finished",
                on.finished,
                "Report the end of an execution (notifyExecutionFinished).",
                Answer("Whether the end counted.", "finished-answer"),
                body="finished",
                problems=(KeyReused, StoreUnavailable),
            ),
            on.finished_now,
        ),
        *(
            deciding(f"{one}/{name}", on.verb(method), summary, execution, problems=refused)
            for name, (method, summary) in verbs.items()
        ),
    ]
