"""Programs that ask the bridge for things, one after the other, by a seeded draw."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from crash.cast import API_PARTS, CAST, DELETED, LISTENING, LOCK_KEYS, WORKSPACES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from random import Random

    from crash.cast import Part
    from crash.history import Call
    from crash.stage import Stage

_PAUSE_SECONDS = 0.02


class Commander:
    """Fires, sends events, pauses, cancels, and says things again with the same name."""

    def __init__(self, name: str, stage: Stage, random: Random) -> None:
        self._name = name
        self._stage = stage
        self._random = random
        self._named: list[Call] = []
        verbs: dict[Callable[[], Awaitable[None]], int] = {
            self._fire: 10,
            self._happen: 3,
            self._repeat: 3,
            self._reuse_key: 1,
            self._pause_or_resume: 2,
            self._command: 4,
            self._add_job: 2,
            self._work_on_job: 2,
            self._look: 1,
        }
        self._verbs, self._weights = list(verbs), list(verbs.values())

    async def act(self) -> None:
        """Until the episode closes."""
        while not self._stage.closing.is_set():
            await asyncio.sleep(self._random.expovariate(1 / _PAUSE_SECONDS))
            (verb,) = self._random.choices(self._verbs, self._weights)
            await verb()

    async def _call(
        self, method: str, path: str, body: Any = None, *, named: bool | None = None
    ) -> Call:
        if named is None:
            named = self._random.random() < 0.5
        key = self._stage.new_key(self._name) if named else None
        call = await self._stage.call(self._name, method, path, body, key=key)
        if key is not None and method == "POST":
            self._named.append(call)
        return call

    async def _fire(self) -> None:
        part = self._random.choice(CAST)
        body: dict[str, Any] = {"payload": {"from": self._name}}
        if self._random.random() < 0.3:
            body["lockKey"] = self._random.choice(LOCK_KEYS)
        if self._random.random() < 0.2:
            body["priority"] = self._random.randint(1, 100)
        # Of a trigger with ticks every other firing has to be known, to tell them from ticks.
        named = True if part.every else None
        await self._call("POST", f"/v1/triggers/{part.trigger_id}/fire", body, named=named)

    async def _happen(self) -> None:
        payload: dict[str, Any] = {"number": self._random.randrange(9)}
        if self._random.random() < 0.8:
            payload["repo"] = self._random.choice(LOCK_KEYS)
        workspace = self._random.choice(LISTENING)
        body = {"workspaceId": workspace, "type": "push", "payload": payload}
        await self._call("POST", "/v1/events", body)

    async def _repeat(self) -> None:
        if self._named:
            again = self._random.choice(self._named[-30:])
            await self._stage.call(self._name, again.method, again.path, again.body, key=again.key)

    async def _reuse_key(self) -> None:
        """The same name for something else."""
        answered = [call for call in self._named[-30:] if call.decisions]
        if answered:
            again = self._random.choice(answered)
            path, body = again.path, {"payload": "something else"}
            if not path.endswith("/fire"):  # names count within a workspace
                path, body = _a_fire_in(again.body["workspaceId"]), again.body
            await self._stage.call(self._name, "POST", path, body, key=again.key)

    async def _pause_or_resume(self) -> None:
        part = self._random.choice(CAST)
        verb = self._random.choice(("pause", "resume", "resume"))
        await self._call("POST", f"/v1/triggers/{part.trigger_id}/{verb}")

    async def _command(self) -> None:
        verb = self._random.choice(("cancel", "terminate", "pause", "resume", "cancel"))
        if (execution := self._some_execution()) is not None:
            await self._call("POST", f"/v1/executions/{execution}/{verb}")

    async def _add_job(self) -> None:
        if (execution := self._some_execution()) is not None:
            await self._call("POST", f"/v1/executions/{execution}/jobs", {"name": "piece"})

    async def _work_on_job(self) -> None:
        if self._stage.jobs:
            execution, job = self._random.choice(self._stage.jobs)
            verb = self._random.choice(("claim", "finished"))
            await self._call("POST", f"/v1/executions/{execution}/jobs/{job}/{verb}")

    async def _look(self) -> None:
        path = self._random.choice(
            ("/v1/triggers", "/v1/executions?limit=50", "/v1/decisions?limit=50", "/v1/info")
        )
        await self._call("GET", path, named=False)

    def _some_execution(self) -> str | None:
        known = self._stage.executions
        return self._random.choice(known) if known else None


class Registrar:
    """Declares the triggers without a stream, removes some and sets them again; sets limits."""

    def __init__(self, stage: Stage, random: Random) -> None:
        self._stage = stage
        self._random = random

    async def declare_all(self) -> None:
        """Sets every trigger that has no client."""
        for part in API_PARTS:
            await self._declare(part)

    async def act(self) -> None:
        """Until the episode closes."""
        while not self._stage.closing.is_set():
            await asyncio.sleep(self._random.uniform(0.05, 0.4))
            await self._random.choice((self._set_limit, self._set_limit, self._replace))()

    async def _set_limit(self) -> None:
        workspace = self._random.choice(tuple(WORKSPACES))
        limit = self._random.choice(WORKSPACES[workspace])
        await set_limit(self._stage, workspace, limit)

    async def _replace(self) -> None:
        """Another payload for any of them; some are removed first."""
        part = self._random.choice(API_PARTS)
        if part.trigger_id in DELETED and self._random.random() < 0.5:
            await self._stage.insist("registrar", "DELETE", f"/v1/triggers/{part.trigger_id}")
        await self._declare(part)

    async def _declare(self, part: Part) -> None:
        body = {**part.config, "payload": {"draw": self._random.randrange(9)}}
        await self._stage.insist("registrar", "PUT", f"/v1/triggers/{part.trigger_id}", body)


def _a_fire_in(workspace: str) -> str:
    part = next(each for each in API_PARTS if each.workspace_id == workspace)
    return f"/v1/triggers/{part.trigger_id}/fire"


async def set_limit(stage: Stage, workspace: str, limit: int) -> None:
    """Sets a workspace's limit; nobody else may be setting one."""
    body = {"maxConcurrentExecutions": limit}
    await stage.insist("registrar", "PUT", f"/v1/workspaces/{workspace}", body)
