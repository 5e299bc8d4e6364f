"""The bridge is killed in the middle of a run and started again: nothing is lost, nothing twice."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from .bridge_process import BridgeProcess, serving

if TYPE_CHECKING:
    from pathlib import Path

T = {"triggerId": "t", "overlapPolicy": "queue", "maxRunMinutes": 5}


async def fire(bridge: BridgeProcess, **request: Any) -> dict[str, Any]:
    reply = await bridge.call("POST", "/v1/triggers/t/fire", {}, **request)
    decision: dict[str, Any] = reply.value["decisions"][0]
    return decision


async def state_of(bridge: BridgeProcess, run: str) -> str:
    state: str = (await bridge.call("GET", f"/v1/executions/{run}")).value["state"]
    return state


async def test_a_run_goes_on_and_the_queued_one_follows(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        stream = await bridge.open_stream()
        await stream.here(T)
        run = (await fire(bridge))["executionId"]
        await stream.next("execution.start")
        claimed = await stream.claim(run)
        queued = (await fire(bridge))["executionId"]
        await bridge.kill()

        await bridge.start()
        again = await bridge.open_stream()
        await again.here(T, runs=(run,))
        still = (await bridge.call("GET", f"/v1/executions/{run}")).value
        assert (still["state"], still["deadline"]) == ("running", claimed["deadline"])
        assert (await again.finish(run))["ignored"] is False
        offer = await again.next("execution.start")
        assert offer["executionId"] == queued
        assert (await again.claim(queued))["confirmed"] is True
        assert len([each for each in again.seen if each["type"] == "execution.start"]) == 1


async def test_a_run_that_ended_while_the_bridge_was_dead_frees_its_slot(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        stream = await bridge.open_stream()
        await stream.here(T)
        run = (await fire(bridge))["executionId"]
        await stream.next("execution.start")
        await stream.claim(run)
        await bridge.kill()

        await bridge.start()
        again = await bridge.open_stream()
        await again.finish(run, "failed", error="no disk")
        await again.here(T)
        assert await state_of(bridge, run) == "failed"
        assert (await fire(bridge))["decision"] == "started"


async def test_a_start_that_was_not_claimed_is_offered_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        stream = await bridge.open_stream()
        await stream.here(T)
        run = (await fire(bridge))["executionId"]
        first = await stream.next("execution.start")
        await bridge.kill()

        await bridge.start()
        again = await bridge.open_stream()
        await again.here(T)
        assert await again.next("execution.start") == first
        assert (await again.claim(run))["confirmed"] is True


async def test_whatever_was_answered_before_a_kill_counts_after_it(tmp_path: Path) -> None:
    """Firings are in flight when the bridge dies; a repeat by key decides none of them twice."""
    async with serving(tmp_path) as bridge:
        config = {"overlapPolicy": "allow", "maxConcurrent": 1000}
        await bridge.call("PUT", "/v1/triggers/t", config)
        asked = [asyncio.create_task(fire(bridge, key=f"k{number}")) for number in range(100)]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        await bridge.kill()
        answers = await asyncio.gather(*asked, return_exceptions=True)

        await bridge.start()
        repeated = [await fire(bridge, key=f"k{number}") for number in range(100)]
        for before, after in zip(answers, repeated, strict=True):
            assert isinstance(before, BaseException) or before == after
        runs = (await bridge.call("GET", "/v1/executions?limit=1000")).value["executions"]
        assert {run["executionId"] for run in runs} == {each["executionId"] for each in repeated}
        tokens = sorted(run["fencingToken"] for run in runs)
        assert tokens == list(range(1, 101))
