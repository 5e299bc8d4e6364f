"""The process is stopped and goes on (SIGSTOP, SIGCONT): no burst, nothing early, nothing lost."""

from __future__ import annotations

import asyncio
import os
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from schedule_bridge.wire.times import parse_instant

from .bridge_process import BridgeProcess, serving

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

SECOND = 1_000_000
EVERY = 2 * SECOND
EVERY_TWO_SECONDS = {"kind": "interval", "every": 2}
SEVERAL_INTERVALS = 9
BEYOND_A_DEADLINE = 12
"""Seconds; a deadline is five intervals (R20)."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")


async def until(check: Callable[[], Awaitable[Any]]) -> Any:
    async with asyncio.timeout(30):
        while not (found := await check()):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.1)
    return found


async def runs(bridge: BridgeProcess, **query: str) -> list[Any]:
    """The executions, oldest first."""
    asked = "&".join(f"{name}={value}" for name, value in {"limit": "1000", **query}.items())
    found = (await bridge.call("GET", f"/v1/executions?{asked}")).value["executions"]
    return list(reversed(found))


def instants(run: dict[str, Any]) -> tuple[int, int]:
    return parse_instant(run["scheduledAt"]), parse_instant(run["createdAt"])


async def test_the_ticks_meanwhile_are_one_late_tick_and_one_missed_stretch(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as bridge:
        config = {"schedule": EVERY_TWO_SECONDS, "overlapPolicy": "allow", "maxConcurrent": 1000}
        await bridge.call("PUT", "/v1/triggers/t", config)
        await until(lambda: runs(bridge))
        await bridge.stand_still(SEVERAL_INTERVALS)
        before = len(await runs(bridge))
        all_runs = await until(lambda: more_than(bridge, before + 1))
        trigger = (await bridge.call("GET", "/v1/triggers/t")).value
        (stretch,) = [each for each in trigger["missed"] if each["count"] >= 2]
        assert stretch["reason"] == "late"
        ticks = [(tick, tick) for tick, _ in map(instants, all_runs)]
        ticks += [
            (parse_instant(each["from"]), parse_instant(each["to"])) for each in trigger["missed"]
        ]
        ticks.sort()
        gaps = {after[0] - tick[1] for tick, after in pairwise(ticks)}
        assert gaps == {EVERY}  # each point of the grid once
        assert all(made >= tick for tick, made in map(instants, all_runs))
        assert len({made for _, made in map(instants, all_runs)}) == len(all_runs)


async def more_than(bridge: BridgeProcess, number: int) -> list[Any]:
    found = await runs(bridge)
    return found if len(found) > number else []


async def test_a_deadline_that_passed_meanwhile_ends_its_run_before_a_tick_is_judged(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as bridge:
        await bridge.call("PUT", "/v1/triggers/t", {"schedule": EVERY_TWO_SECONDS})
        (run,) = await until(lambda: runs(bridge, state="pending"))
        await bridge.call("POST", f"/v1/executions/{run['executionId']}/started")
        await bridge.stand_still(BEYOND_A_DEADLINE)
        (_, following) = await until(lambda: more_than(bridge, 1))
        ended = (await bridge.call("GET", f"/v1/executions/{run['executionId']}")).value
        assert ended["state"] == "expired"
        assert following["createdAt"] >= ended["endedAt"]
        decisions = (await bridge.call("GET", "/v1/decisions?limit=1000")).value["decisions"]
        judged = [each for each in decisions if each["decidedAt"] >= ended["endedAt"]]
        first = next(each for each in reversed(judged) if each["decision"] != "missed")
        assert first["executionId"] == following["executionId"]
