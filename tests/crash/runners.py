"""Who runs executions: programs without a stream that compete for starts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from crash.history import Claim, End
from schedule_bridge.core.model import ExecutionId

if TYPE_CHECKING:
    from random import Random

    from crash.stage import Stage

_NEVER_FINISHED = 0.1


class ApiRunner:
    """Finds starts by `state=pending`, claims them, works for a while, reports the end."""

    def __init__(self, name: str, stage: Stage, random: Random, stop: asyncio.Event) -> None:
        self._name = name
        self._stage = stage
        self._random = random
        self._stop = stop
        self._tasks: set[asyncio.Task[None]] = set()

    async def act(self) -> None:
        """Until it is told to stop."""
        while not self._stop.is_set():
            await asyncio.sleep(self._random.uniform(0.05, 0.5))
            found = await self._stage.call(
                self._name, "GET", "/v1/executions?state=pending&limit=20"
            )
            for execution in found.value["executions"] if found.done else ():
                if execution["clientId"] is None:
                    await self._take(ExecutionId(execution["executionId"]))
        await asyncio.gather(*self._tasks)

    async def _take(self, execution_id: ExecutionId) -> None:
        self._stage.executions.append(execution_id)
        if await self._claim(execution_id) and self._random.random() > _NEVER_FINISHED:
            task = asyncio.create_task(self._finish_later(execution_id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _claim(self, execution_id: ExecutionId) -> bool:
        """A claim with a name is repeated when the bridge was killed; another one is lost."""
        path = f"/v1/executions/{execution_id}/started"
        key = self._stage.new_key(self._name) if self._random.random() < 0.7 else None
        ask = self._stage.call if key is None else self._stage.insist
        call = await ask(self._name, "POST", path, key=key)
        if call.status is None:
            return False
        session = key or self._stage.new_key(self._name)
        self._stage.history.claims.append(Claim(session, execution_id, confirmed=call.done))
        return call.done

    async def _finish_later(self, execution_id: ExecutionId) -> None:
        await asyncio.sleep(self._random.uniform(0.01, 0.5))
        outcome = self._random.choice(("completed", "completed", "failed", "cancelled"))
        path = f"/v1/executions/{execution_id}/finished"
        key = self._stage.new_key(self._name)
        call = await self._stage.insist(self._name, "POST", path, {"outcome": outcome}, key=key)
        if call.done:
            end = End(self._name, key, execution_id, outcome, ignored=call.value["ignored"])
            self._stage.history.ends.append(end)
