"""What the actors of an episode share: the bridge, the history, and a recorded way to call."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

from aiohttp import ClientError, ClientSession

from crash.history import Call, wall
from service.caller import Caller

if TYPE_CHECKING:
    from crash.history import History
    from crash.victim import Victim

_PATIENCE_SECONDS = 10
_REMEMBERED = 60


class Stage:
    """One episode's bridge and what everybody knows of it."""

    def __init__(self, session: ClientSession, victim: Victim, history: History) -> None:
        self.session = session
        self.victim = victim
        self.history = history
        self.executions: deque[str] = deque(maxlen=_REMEMBERED)
        self.jobs: deque[tuple[str, str]] = deque(maxlen=_REMEMBERED)
        self.closing = asyncio.Event()
        self._numbers = 0
        self._caller = Caller(session)

    def new_key(self, who: str) -> str:
        """A name that no request has had."""
        self._numbers += 1
        return f"{who}-{self._numbers}"

    async def call(
        self, who: str, method: str, path: str, body: Any = None, *, key: str | None = None
    ) -> Call:
        """One request, recorded with its answer, or without one when the bridge was killed."""
        await self.victim.up.wait()
        caller = await self._with_document()
        asked = wall()
        call = Call(who, method, path, body, key, asked)
        if caller is not None:
            try:
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    got = await caller.call(method, path, body, key=key)
            except (ClientError, OSError, TimeoutError):
                await asyncio.sleep(0.01)
            else:
                call = Call(who, method, path, body, key, asked, wall(), got.status, got.value)
        self.history.calls.append(call)
        self._remember(call)
        return call

    async def insist(
        self, who: str, method: str, path: str, body: Any = None, *, key: str | None = None
    ) -> Call:
        """The same request again until it is answered."""
        while (call := await self.call(who, method, path, body, key=key)).status is None:
            pass
        return call

    async def _with_document(self) -> Caller | None:
        """The caller, who holds every answer against the bridge's own description."""
        caller = self._caller
        caller.base = self.victim.base
        caller.authorized = {"Authorization": f"Bearer {self.victim.token}"}
        if caller.document is None:
            try:
                async with self.session.get(
                    f"{caller.base}/openapi.json", headers=caller.authorized
                ) as response:
                    caller.document = await response.json()
            except (ClientError, OSError):
                return None
        return caller

    def _remember(self, call: Call) -> None:
        for decision in call.decisions:
            if decision["executionId"] is not None:
                self.executions.append(decision["executionId"])
        if call.done and call.path.endswith("/jobs"):
            self.jobs.append((call.value["executionId"], call.value["jobId"]))
