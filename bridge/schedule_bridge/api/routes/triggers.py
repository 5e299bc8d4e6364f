"""Triggers: declared, looked at, fired, paused, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from aiohttp import web

from schedule_bridge.api.context import Bridge, telling_problems
from schedule_bridge.api.naming import path_id, request_name
from schedule_bridge.api.negotiation import answer, read_body
from schedule_bridge.api.problems import InvalidBody
from schedule_bridge.api.query import read_query
from schedule_bridge.api.refusals import KeyReused, StoreUnavailable, UnknownTrigger
from schedule_bridge.api.route import Answer, Route, at_once, deciding
from schedule_bridge.api.views import decision_view, trigger_view
from schedule_bridge.core.configuration import DEFAULT_WORKSPACE
from schedule_bridge.core.machine import FireRequest
from schedule_bridge.core.model import LockKey, Source, TriggerId, WorkspaceId
from schedule_bridge.engine import House, OwnedElsewhereError, TriggerUnknownError
from schedule_bridge.wire.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedule_bridge.api.asking import Asked, AskedWhole, AtOnce, Decide
    from schedule_bridge.core.model import Instant
    from schedule_bridge.engine import Engine, Estate, RequestName
    from schedule_bridge.store import TriggerPast

Place: TypeAlias = tuple[TriggerId, WorkspaceId]

_SOURCES = {source.value: source for source in Source}
_MISSED_SHOWN = 20
_RUNS_SHOWN = 10
_PAGE = 100


class _Triggers:
    def __init__(self, bridge: Bridge) -> None:
        self._estate = bridge.estate
        self._forwarder = bridge.forwarder

    async def put(self, request: web.Request) -> web.Response:
        trigger_id = _trigger_id(request)
        body = await read_body(request, "trigger", fill={"triggerId": trigger_id})
        if body["triggerId"] != trigger_id:
            fault = Fault("/triggerId", "This is not the trigger that the path names.")
            raise InvalidBody(fault.message, faults=(fault,))
        with telling_problems():
            workspace_id = WorkspaceId(body.get("workspaceId", DEFAULT_WORKSPACE))
            engine = await self._estate.to_declare(workspace_id, [trigger_id])
            is_new = await engine.declare(body)
            view = await _view(engine, trigger_id)
        return answer(request, view, status=201 if is_new else 200)

    async def get(self, request: web.Request) -> web.Response:
        with telling_problems():
            engine = await self._estate.of_trigger(_trigger_id(request))
            return answer(request, await _view(engine, _trigger_id(request)))

    async def page(self, request: web.Request) -> web.Response:
        query = read_query(request, ("workspaceId", "limit", "cursor"))
        limit, after = query.get("limit", _PAGE), query.get("cursor", "")
        with telling_problems():
            found = await self._estate.triggers(query.get("workspaceId"), after, limit + 1)
            views = await self._views(found[:limit], after)
        cursor = found[limit - 1][0] if len(found) > limit else None
        return answer(request, {"triggers": views, "nextCursor": cursor})

    async def delete(self, request: web.Request) -> web.Response:
        with telling_problems():
            engine = await self._estate.of_trigger(_trigger_id(request))
            await engine.remove(_trigger_id(request))
        return web.Response(status=204)

    async def fire(self, asked: Asked) -> dict[str, Any]:
        body = await asked.body("fire", optional=True)
        name = request_name(asked, body)
        trigger_id = TriggerId(asked.target)
        return await self._decided(trigger_id, name, _firing(trigger_id, body, name))

    def fire_now(self, asked: AskedWhole) -> AtOnce | None:
        trigger_id = TriggerId(asked.target)
        engine = self._estate.with_trigger(trigger_id)
        if engine is None:
            return None
        body = asked.read("fire", optional=True)
        name = request_name(asked, body)
        fire = _firing(trigger_id, body, name)
        return engine, lambda: engine.on_trigger_now(trigger_id, name, fire)

    def verb(self, method: Callable[[House, TriggerId, Instant], None]) -> Decide:
        async def decide(asked: Asked) -> dict[str, Any]:
            trigger_id = TriggerId(asked.target)
            name = request_name(asked, {})
            with telling_problems():
                pasts = await _pasts(self._estate, [trigger_id])

            def command(house: House, now: Instant) -> dict[str, Any]:
                method(house, trigger_id, now)
                return trigger_view(house, trigger_id, pasts[trigger_id], now)

            return await self._decided(trigger_id, name, command)

        return decide

    async def _decided(
        self,
        trigger_id: TriggerId,
        name: RequestName,
        decide: Callable[[House, Instant], dict[str, Any]],
    ) -> dict[str, Any]:
        with telling_problems():
            engine = await self._estate.of_trigger(trigger_id, name)
            return await engine.on_trigger(trigger_id, name, decide)

    async def _views(self, found: Sequence[Place], after: str) -> list[dict[str, Any]]:
        """How the triggers stand that were found, in the same order."""
        of: dict[WorkspaceId, list[TriggerId]] = {}
        for trigger_id, workspace_id in found:
            of.setdefault(workspace_id, []).append(trigger_id)
        views: dict[TriggerId, dict[str, Any]] = {}
        for workspace_id, trigger_ids in of.items():
            for view in await self._views_in(workspace_id, trigger_ids, after):
                views[view["triggerId"]] = view
        # One that was removed while the page was made is left out.
        return [views[trigger_id] for trigger_id, _ in found if trigger_id in views]

    async def _views_in(
        self, workspace_id: WorkspaceId, trigger_ids: Sequence[TriggerId], after: str
    ) -> list[dict[str, Any]]:
        """How triggers of one workspace stand, the first ones of it with an id beyond `after`."""
        try:
            engine = await self._estate.of_workspace(workspace_id)
        except OwnedElsewhereError as elsewhere:
            if self._forwarder is None:
                raise
            return await self._forwarder.triggers(elsewhere, after, len(trigger_ids))
        pasts = await _pasts(engine, trigger_ids)
        house = await engine.house()
        now = engine.now()
        return [
            trigger_view(house, trigger_id, pasts[trigger_id], now)
            for trigger_id in trigger_ids
            if trigger_id in house.memory.registrations
        ]


async def _view(engine: Engine, trigger_id: TriggerId) -> dict[str, Any]:
    pasts = await _pasts(engine, [trigger_id])
    house = await engine.house()
    if trigger_id not in house.memory.registrations:
        raise TriggerUnknownError(trigger_id)
    return trigger_view(house, trigger_id, pasts[trigger_id], engine.now())


async def _pasts(
    of: Engine | Estate, trigger_ids: Sequence[TriggerId]
) -> dict[TriggerId, TriggerPast]:
    return await of.pasts(trigger_ids, runs=_RUNS_SHOWN, missed=_MISSED_SHOWN)


def _trigger_id(request: web.Request) -> TriggerId:
    return TriggerId(path_id(request, "triggerId"))


def _firing(
    trigger_id: TriggerId, body: dict[str, Any], name: RequestName
) -> Callable[[House, Instant], dict[str, Any]]:
    def fire(house: House, now: Instant) -> dict[str, Any]:
        decisions = house.fire(_fire_request(trigger_id, body, name.key, now), now)
        return {"decisions": [decision_view(each) for each in decisions]}

    return fire


def _fire_request(
    trigger_id: TriggerId, body: dict[str, Any], key: str | None, now: Instant
) -> FireRequest:
    priority = body.get("priority")
    return FireRequest(
        trigger_id=trigger_id,
        scheduled_at=now,
        source=_SOURCES[body.get("source", "input")],
        payload=body.get("payload"),
        lock_key=LockKey(body.get("lockKey") or ""),
        priority=None if priority is None else int(priority),  # 3.0 is an integer in JSON Schema
        key=key,
    )


def routes(bridge: Bridge) -> list[Route]:
    """The routes on triggers."""
    on = _Triggers(bridge)
    one = "/v1/triggers/{triggerId}"
    state = Answer("The trigger and its state.", "trigger-state")
    refused = (UnknownTrigger, StoreUnavailable)
    return [
        Route(
            "PUT",
            one,
            on.put,
            "Create or replace a trigger.",
            {200: state, 201: state},
            body="trigger",
            filled=("triggerId",),
            problems=(StoreUnavailable,),
        ),
        Route(
            "GET",
            "/v1/triggers",
            on.page,
            "List the triggers.",
            {200: Answer("A page of triggers.", "triggers")},
            query=("workspaceId", "limit", "cursor"),
            problems=(StoreUnavailable,),
        ),
        Route("GET", one, on.get, "Look at a trigger.", {200: state}, problems=refused),
        Route(
            "DELETE",
            one,
            on.delete,
            "Remove a trigger.",
            {204: Answer("It is gone.")},
            problems=refused,
        ),
        at_once(
            deciding(
                f"{one}/fire",
                on.fire,
                "Fire a trigger.",
                Answer("What came of it, one decision a lock key.", "fire-answer"),
                body="fire",
                body_optional=True,
                problems=(*refused, KeyReused),
            ),
            on.fire_now,
        ),
        *(
            deciding(
                f"{one}/{name}", on.verb(method), summary, state, problems=(*refused, KeyReused)
            )
            for name, method, summary in (
                ("pause", House.pause, "Pause a trigger."),
                ("resume", House.resume, "Resume a trigger."),
            )
        ),
    ]
