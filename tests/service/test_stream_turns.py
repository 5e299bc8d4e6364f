"""Frames that come together: decided in order, and in few turns of the loop."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING

from schedule_bridge.core.model import State

if TYPE_CHECKING:
    from service.bridge import RunningBridge
    from service.streamer import Streamer

FRAMES_IN_ONE_TURN = 32
ALLOW = {"triggerId": "t", "overlapPolicy": "allow", "maxConcurrent": 99}


async def _offered(bridge: RunningBridge, stream: Streamer, starts: int) -> list[str]:
    """So many starts that wait to be claimed."""
    await stream.here(ALLOW)
    for _ in range(starts):
        await bridge.fire()
    return [(await stream.next())["executionId"] for _ in range(starts)]


async def _claim_at_once(stream: Streamer, runs: list[str]) -> None:
    """The frames leave before the loop, which is the bridge's as well, has another turn."""
    for run in runs:
        await stream.tell("started", executionId=run)


async def test_a_burst_takes_few_turns_and_leaves_others_theirs(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    runs = await _offered(bridge, stream, 3 * FRAMES_IN_ONE_TURN)
    world = (await bridge.engine.house()).machine.world
    await _claim_at_once(stream, runs)
    claimed = [0]
    async with asyncio.timeout(10):
        while claimed[-1] < len(runs):
            await asyncio.sleep(0)
            states = [each.state for each in world.executions.values()]
            claimed.append(states.count(State.RUNNING))
    most = max(later - earlier for earlier, later in pairwise(claimed))
    assert 1 < most <= FRAMES_IN_ONE_TURN


async def test_who_leaves_right_after_an_end_is_offered_what_it_let_start(
    bridge: RunningBridge,
) -> None:
    stream = await bridge.open_stream()
    await stream.here({"triggerId": "t", "overlapPolicy": "queue"})
    await bridge.fire()
    run = (await stream.next())["executionId"]
    await stream.claim(run)
    (queued,) = await bridge.fire()
    await stream.tell("finished", executionId=run, outcome="completed")
    await stream.away()
    assert (await stream.next("execution.start"))["executionId"] == queued["executionId"]
