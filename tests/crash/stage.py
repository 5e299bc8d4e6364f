"""What the actors of an episode share: the bridges, the history, and a recorded way to call."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from aiohttp import ClientError, ClientSession

from crash.history import Call, wall
from service.caller import Caller

if TYPE_CHECKING:
    from crash.house import House
    from service.caller import Called, Json

_LASTING_PATIENCE = 30.0
"""Longer than a bridge stands still and then leads a request on: what is set must not come late."""
_PAUSE_SECONDS = 0.01
_LATER_SECONDS = 0.05
_REMEMBERED = 60


class Stage:
    """One episode's bridges and what everybody knows of them."""

    def __init__(self, session: ClientSession, house: House) -> None:
        self.session = session
        self.house = house
        self.history = house.history
        self.executions: deque[str] = deque(maxlen=_REMEMBERED)
        self.jobs: deque[tuple[str, str]] = deque(maxlen=_REMEMBERED)
        self.closing = asyncio.Event()
        self._numbers = 0
        self._document: Json = None

    def new_key(self, who: str) -> str:
        """A name that no request has had."""
        self._numbers += 1
        return f"{who}-{self._numbers}"

    async def call(
        self,
        who: str,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        at: str | None = None,
        patience: float | None = None,
    ) -> Call:
        """One request, recorded with its answer, or without one if nobody says what came of it.

        It is made of the bridge `at` that address, or of any; with another patience than most.
        """
        asking = Call(who, method, path, body, key, 0)
        return await self._call(asking, patience or self.house.patience, at)

    async def insist(
        self, who: str, method: str, path: str, body: Any = None, *, key: str | None = None
    ) -> Call:
        """The same request again until it is answered, each time for as long as it may take."""
        asking = Call(who, method, path, body, key, 0)
        while (call := await self._call(asking, _LASTING_PATIENCE)).status is None:
            pass
        return call

    async def _call(self, asking: Call, patience: float, at: str | None = None) -> Call:
        base = at or await self.house.way_in()
        asked = replace(asking, asked=wall())
        got = await self._ask(base, asked, patience)
        call = asked if got is None else _answered(asked, got)
        self.history.calls.append(call)
        self._remember(call)
        return call

    async def _ask(self, base: str, call: Call, patience: float) -> Called | None:
        try:
            async with asyncio.timeout(patience):
                caller = await self._with_document(base)
                got = await caller.call(call.method, call.path, call.body, key=call.key)
        except (ClientError, OSError, TimeoutError):
            await asyncio.sleep(_PAUSE_SECONDS)
            return None
        if self.house.may_be_away and got.status == HTTPStatus.SERVICE_UNAVAILABLE:
            await asyncio.sleep(_LATER_SECONDS)
            return None
        return got

    async def _with_document(self, base: str) -> Caller:
        """The caller, who holds every answer against the bridge's own description."""
        caller = Caller(self.session)
        caller.base = base
        caller.authorized = {"Authorization": f"Bearer {self.house.token}"}
        if self._document is None:
            async with self.session.get(
                f"{base}/openapi.json", headers=caller.authorized
            ) as response:
                self._document = await response.json()
        caller.document = self._document
        return caller

    def _remember(self, call: Call) -> None:
        for decision in call.decisions:
            if decision["executionId"] is not None:
                self.executions.append(decision["executionId"])
        if call.done and call.path.endswith("/jobs"):
            self.jobs.append((call.value["executionId"], call.value["jobId"]))


def _answered(asked: Call, got: Called) -> Call:
    return replace(asked, answered=wall(), status=got.status, value=got.value)
