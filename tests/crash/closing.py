"""The end of an episode: everything is answered and ended, then nothing may be held any more."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from crash.cast import API_PARTS, CAST, LOCK_KEYS, WORKSPACES
from crash.commander import set_limit

if TYPE_CHECKING:
    from crash.history import Call
    from crash.stage import Stage
    from crash.stream_client import StreamClient

WHO = "closing"
PROBE = "probe"
_ACTIVE = ("queued", "onHold", "pending", "running", "paused")
_PATIENCE_SECONDS = 60
_REPEATED = 200


async def close_down(stage: Stage, clients: list[StreamClient]) -> None:
    """With a bridge that is not killed any more: repeats, removes, ends, and probes."""
    for part in API_PARTS:
        await stage.insist(WHO, "PUT", f"/v1/triggers/{part.trigger_id}", part.config)
    for workspace in WORKSPACES:
        await set_limit(stage, workspace, 0)
    await _repeat_named_requests(stage)
    await _remove_triggers(stage, clients)
    await _end_everything(stage, clients)
    for workspace in WORKSPACES:
        await _probe(stage, workspace)


async def _repeat_named_requests(stage: Stage) -> None:
    """What was never answered has to be now; what was answered has to be answered so again."""
    named = {call.key: call for call in stage.history.calls if call.key is not None}
    answered = {call.key for call in stage.history.calls if call.status is not None}
    open_ones = [call for key, call in named.items() if key not in answered]
    again = [call for key, call in named.items() if key in answered][-_REPEATED:]
    for call in open_ones + again:
        await stage.insist(WHO, call.method, call.path, call.body, key=call.key)


async def _remove_triggers(stage: Stage, clients: list[StreamClient]) -> None:
    for client in clients:
        await client.retire()
    for part in CAST:
        await stage.insist(WHO, "DELETE", f"/v1/triggers/{part.trigger_id}")


async def _end_everything(stage: Stage, clients: list[StreamClient]) -> None:
    """Runs that their clients never end are cancelled; then the clients have to know of it."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while active := await _active(stage):
            for execution in active:
                await stage.insist(WHO, "POST", f"/v1/executions/{execution}/cancel")
        for client in clients:
            await client.runs_nothing()


async def _active(stage: Stage) -> list[str]:
    found: list[str] = []
    for state in _ACTIVE:
        page = await stage.insist(WHO, "GET", f"/v1/executions?state={state}&limit=1000")
        found += [execution["executionId"] for execution in page.value["executions"]]
    return found


async def _probe(stage: Stage, workspace: str) -> None:
    """A run for every lock key and one without: all start, just as many as the limit allows."""
    keys = (*LOCK_KEYS, "")
    await set_limit(stage, workspace, len(keys))
    config = {"triggerId": PROBE, "workspaceId": workspace, "overlapPolicy": "skip"}
    await stage.insist(PROBE, "PUT", f"/v1/triggers/{PROBE}", config)
    for key in keys:
        await _fire(stage, {"lockKey": key})
    for execution in await _active(stage):
        await stage.insist(
            PROBE, "POST", f"/v1/executions/{execution}/finished", {"outcome": "completed"}
        )
    await stage.insist(PROBE, "DELETE", f"/v1/triggers/{PROBE}")


async def _fire(stage: Stage, body: dict[str, Any]) -> Call:
    return await stage.insist(PROBE, "POST", f"/v1/triggers/{PROBE}/fire", body)
