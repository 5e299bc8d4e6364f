"""Triggers: declared, looked at, fired, paused, removed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from aiohttp import web

from schedule_bridge.api.context import Bridge, telling_problems
from schedule_bridge.api.negotiation import answer, read_body
from schedule_bridge.api.problems import BadRequest, InvalidBody
from schedule_bridge.api.query import read_query
from schedule_bridge.api.refusals import KeyReused, StoreUnavailable, UnknownTrigger
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.api.views import decision_view, trigger_view
from schedule_bridge.core.machine import FireRequest
from schedule_bridge.core.model import LockKey, Source, TriggerId
from schedule_bridge.store import DecisionQuery
from schedule_bridge.wire.codec import Media, decode, encode
from schedule_bridge.wire.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import Instant

_MISSED_SHOWN = 20
_KEY_LENGTH = 1024
_PAGE = 100


class _Triggers:
    def __init__(self, bridge: Bridge) -> None:
        self._engine = bridge.engine

    async def put(self, request: web.Request) -> web.Response:
        trigger_id = request.match_info["triggerId"]
        body = await read_body(request, "trigger", fill={"triggerId": trigger_id})
        if body["triggerId"] != trigger_id:
            fault = Fault("/triggerId", "This is not the trigger that the path names.")
            raise InvalidBody(fault.message, faults=(fault,))
        with telling_problems():
            is_new = await self._engine.declare(body)
            view = await self._view(TriggerId(trigger_id))
        return answer(request, view, status=201 if is_new else 200)

    async def get(self, request: web.Request) -> web.Response:
        with telling_problems():
            return answer(request, await self._view(_trigger_id(request)))

    async def page(self, request: web.Request) -> web.Response:
        query = read_query(request, ("workspaceId", "limit", "cursor"))
        with telling_problems():
            house = await self._engine.house()
            wanted = query.get("workspaceId")
            ids = sorted(
                trigger_id
                for trigger_id, registration in house.memory.registrations.items()
                if wanted is None or registration.config.workspace_id == wanted
            )
            after = query.get("cursor", "")
            page = [trigger_id for trigger_id in ids if trigger_id > after]
            limit = query.get("limit", _PAGE)
            views = [await self._view(trigger_id) for trigger_id in page[:limit]]
        cursor = page[limit - 1] if len(page) > limit else None
        return answer(request, {"triggers": views, "nextCursor": cursor})

    async def delete(self, request: web.Request) -> web.Response:
        with telling_problems():
            await self._engine.remove(_trigger_id(request))
        return web.Response(status=204)

    async def fire(self, request: web.Request) -> web.Response:
        trigger_id = _trigger_id(request)
        body = await read_body(request, "fire", optional=True)
        key = _idempotency_key(request)
        with telling_problems():
            answered = await self._engine.fire(
                trigger_id,
                lambda now: _fire_request(trigger_id, body, key, now),
                _encode_decisions,
                key=key,
                fingerprint=_fingerprint(request, body),
            )
        return answer(request, decode(Media.MSGPACK, answered))

    async def pause(self, request: web.Request) -> web.Response:
        with telling_problems():
            await self._engine.pause(_trigger_id(request))
            return answer(request, await self._view(_trigger_id(request)))

    async def resume(self, request: web.Request) -> web.Response:
        with telling_problems():
            await self._engine.resume(_trigger_id(request))
            return answer(request, await self._view(_trigger_id(request)))

    async def _view(self, trigger_id: TriggerId) -> dict[str, Any]:
        engine = self._engine
        latest = await engine.decisions(DecisionQuery(trigger_id=trigger_id, limit=1))
        counters = await engine.counters(trigger_id)
        missed = await engine.missed(trigger_id, _MISSED_SHOWN)
        registration = await engine.registration(trigger_id)
        world = (await engine.house()).machine.world
        return trigger_view(
            registration,
            world.triggers[trigger_id],
            world.executions_of(trigger_id),
            last_decision=latest[0][1] if latest else None,
            counters=counters,
            missed=missed,
        )


def _trigger_id(request: web.Request) -> TriggerId:
    return TriggerId(request.match_info["triggerId"])


def _idempotency_key(request: web.Request) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not (key.isprintable() and 0 < len(key) <= _KEY_LENGTH):
        raise BadRequest(f"An Idempotency-Key has 1 to {_KEY_LENGTH} printable characters.")
    return key


def _fingerprint(request: web.Request, body: dict[str, Any]) -> bytes:
    """Tells one request from another under the same key."""
    content = encode(Media.MSGPACK, body)
    return hashlib.sha256(request.path.encode() + b"\0" + content).digest()


def _fire_request(
    trigger_id: TriggerId, body: dict[str, Any], key: str | None, now: Instant
) -> FireRequest:
    return FireRequest(
        trigger_id=trigger_id,
        scheduled_at=now,
        source=Source(body.get("source", Source.MANUAL)),
        payload=body.get("payload"),
        lock_key=LockKey(body.get("lockKey") or ""),
        priority=body.get("priority"),
        key=key,
    )


def _encode_decisions(decisions: Sequence[Decision]) -> bytes:
    return encode(Media.MSGPACK, {"decisions": [decision_view(each) for each in decisions]})


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
        Route(
            "POST",
            f"{one}/fire",
            on.fire,
            "Fire a trigger.",
            {200: Answer("What came of it, one decision a lock key.", "fire-answer")},
            body="fire",
            body_optional=True,
            problems=(*refused, KeyReused),
            keyed=True,
        ),
        Route("POST", f"{one}/pause", on.pause, "Pause a trigger.", {200: state}, problems=refused),
        Route(
            "POST", f"{one}/resume", on.resume, "Resume a trigger.", {200: state}, problems=refused
        ),
    ]
