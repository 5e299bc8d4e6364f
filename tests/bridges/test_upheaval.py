"""Three bridges, four workspaces, traffic, and trouble: nothing is lost, nothing doubled."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections import defaultdict
from itertools import pairwise
from signal import SIGCONT, SIGSTOP
from time import monotonic
from typing import TYPE_CHECKING

from aiohttp import ClientError

from .house import LEASE, bridges, declare

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from cli.bridge_process import BridgeProcess
    from service.caller import Called, Json

    from .house import Bridges

SEED = int(os.environ.get("SEARCH_SEED") or random.randrange(10**6))  # noqa: S311
SECONDS = float(os.environ.get("SEARCH_SECONDS") or 25)
WORKSPACES = ("w0", "w1", "w2", "w3")
_PATIENCE = 60


class Traffic:
    """Fires, claims and ends over any bridge, each request by a name until it is answered."""

    def __init__(self, house: Bridges, chance: random.Random) -> None:
        self._house = house
        self._chance = chance
        self._ends_at = monotonic() + SECONDS
        self.fired: dict[str, Json] = {}
        self.claimed: dict[str, list[str]] = defaultdict(list)
        self.other_errors: list[Json] = []

    async def run(self, workspace: str) -> None:
        """A workspace's only worker: what starts is claimed twice, by two names, and ended."""
        number = 0
        while monotonic() < self._ends_at:
            number += 1
            key = f"{workspace}-{number}"
            reply = await self._insist(f"/v1/triggers/t-{workspace}/fire", {}, key)
            self.fired[key] = reply.value["decisions"][0]
            if self.fired[key]["decision"] == "started":
                await self._work_on(self.fired[key]["executionId"], key)

    async def _work_on(self, execution_id: str, key: str) -> None:
        path = f"/v1/executions/{execution_id}"
        names = (f"{key}-claim-a", f"{key}-claim-b")
        claims = await asyncio.gather(*(self._insist(f"{path}/started", {}, n) for n in names))
        self.claimed[execution_id] += [
            name for name, claim in zip(names, claims, strict=True) if claim.status == 200
        ]
        await asyncio.sleep(self._chance.uniform(0, 0.1))
        await self._insist(f"{path}/finished", {"outcome": "completed"}, f"{key}-end")

    async def _insist(self, path: str, body: Json, key: str) -> Called:
        """The answer, whichever bridge gives it; a repeat gets the first one."""
        async with asyncio.timeout(_PATIENCE):
            while True:
                bridge = self._chance.choice(self._house.all)
                try:
                    async with asyncio.timeout(LEASE):
                        reply = await bridge.call("POST", path, body, key=key)
                except (ClientError, OSError, TimeoutError):
                    reply = None
                if reply is not None and reply.status < 500:
                    return reply
                if reply is not None and reply.status != 503:
                    self.other_errors.append(reply.value)
                await asyncio.sleep(0.1)


async def _upheavals(house: Bridges, chance: random.Random, done: list[str]) -> None:
    """One bridge after the other is killed, stopped, or stands still for longer than its lease."""
    while True:
        await asyncio.sleep(chance.uniform(0.5, 2))
        number = chance.randrange(len(house.all))
        kind = chance.choice((_kill, _stop, _stand_still))
        await kind(house, number)
        done.append(kind.__name__.lstrip("_"))


async def _kill(house: Bridges, number: int) -> None:
    await house.all[number].kill()
    await house.again(number)


async def _stop(house: Bridges, number: int) -> None:
    await house.all[number].terminate()
    await house.again(number)


async def _stand_still(house: Bridges, number: int) -> None:
    bridge: BridgeProcess = house.all[number]
    bridge.signal(SIGSTOP)
    try:
        await asyncio.sleep(LEASE + 1)
    finally:
        bridge.signal(SIGCONT)


async def test_upheavals_lose_and_double_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance, done = random.Random(SEED), list[str]()  # noqa: S311
    async with bridges(tmp_path, 3) as house:
        for workspace in WORKSPACES:
            await declare(house.all[0], f"t-{workspace}", workspace)
        traffic = Traffic(house, chance)
        trouble = asyncio.create_task(_upheavals(house, chance, done))
        await asyncio.gather(*(traffic.run(workspace) for workspace in WORKSPACES))
        trouble.cancel()
        await asyncio.gather(trouble, return_exceptions=True)
        recorded, runs = await _record(house)
    with capsys.disabled():
        said = f"{len(traffic.fired)} firings, {len(runs)} runs, {', '.join(sorted(done))}"
        sys.stdout.write(f"\nupheaval: SEARCH_SEED={SEED}, {SECONDS:.0f} s, {said}\n")
    _judge(traffic, recorded, runs)


async def _record(house: Bridges) -> tuple[dict[str, Json], list[Json]]:
    """All decisions by firing and all runs, oldest first, from a bridge that is there."""
    await house.all[0].make_sure_it_is_gone()
    await house.again(0)
    decisions = await _all(house, "decisions")
    runs = await _all(house, "executions")
    return {each["firingId"]: each for each in decisions}, runs[::-1]


async def _all(house: Bridges, things: str) -> list[Json]:
    listed: list[Json] = []
    cursor: str | None = ""
    while cursor is not None:
        page = await house.all[0].call("GET", f"/v1/{things}?limit=1000{cursor}")
        listed += page.value[things]
        after = page.value["nextCursor"]
        cursor = None if after is None else f"&cursor={after}"
    return listed


def _judge(traffic: Traffic, recorded: dict[str, Json], runs: list[Json]) -> None:
    assert traffic.other_errors == []
    answered = {each["firingId"]: each["decision"] for each in traffic.fired.values()}
    assert len(answered) == len(traffic.fired)
    assert answered == {firing: each["decision"] for firing, each in recorded.items()}
    assert {run["executionId"] for run in runs} == set(traffic.claimed)
    assert all(len(names) == 1 for names in traffic.claimed.values())
    for workspace in WORKSPACES:
        _judge_runs([run for run in runs if run["workspaceId"] == workspace])


def _judge_runs(runs: list[Json]) -> None:
    """One after the other, under tokens that only rise."""
    by_token = sorted(runs, key=lambda run: int(run["fencingToken"]))
    assert [run["createdAt"] for run in by_token] == sorted(run["createdAt"] for run in runs)
    assert len({run["fencingToken"] for run in runs}) == len(runs)
    for earlier, later in pairwise(by_token):
        assert earlier["endedAt"] <= later["createdAt"]
        assert earlier["state"] == "completed"
