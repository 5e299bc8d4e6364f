"""Each workspace has one bridge at a time, whatever becomes of the bridges."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from signal import SIGCONT, SIGSTOP
from time import monotonic
from typing import TYPE_CHECKING

from cli.bridge_process import run
from databases.cable import Cable

from .house import LEASE, bridges, declare, fire, fire_when_owned, owners

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import pytest

    from cli.bridge_process import BridgeProcess

    from .house import Bridges

TWICE = 2 * LEASE
PATIENCE = TWICE + 10
EVERY_TWO_SECONDS = {"kind": "interval", "every": 2}


async def test_any_address_will_do(tmp_path: Path) -> None:
    async with bridges(tmp_path, 2) as house:
        owner, other = house.all
        await declare(owner, "t", "w")
        assert (await fire(other, "t"))["decision"] == "started"
        assert (await fire(owner, "t"))["reason"] == "active"
        assert owners(house, "w") == [0]
        assert await _metric(owner, "workspaces_owned") == 1
        assert await _metric(other, 'forwarded_total{kind="request"}') == 1


async def test_a_list_over_all_workspaces_is_the_same_everywhere(tmp_path: Path) -> None:
    async with bridges(tmp_path, 2) as house:
        await declare(house.all[0], "a", "v")
        await declare(house.all[1], "b", "w")
        await fire(house.all[0], "b")
        for bridge in house.all:
            listed = (await bridge.call("GET", "/v1/triggers")).value["triggers"]
            assert [(each["triggerId"], len(each["active"])) for each in listed] == [
                ("a", 0),
                ("b", 1),
            ]


async def test_a_stream_is_led_to_the_owner(tmp_path: Path) -> None:
    async with bridges(tmp_path, 2) as house:
        owner, other = house.all
        await declare(owner, "first", "default")
        stream = await other.open_stream()
        await stream.here({"triggerId": "t"})
        await fire(owner, "t")
        offer = await stream.next("execution.start")
        assert (await stream.claim(offer["executionId"]))["confirmed"]
        assert not (await stream.finish(offer["executionId"]))["ignored"]
        assert owners(house, "default") == [0]
        await stream.hang_up()


async def test_a_trigger_that_moves_is_in_one_workspace(tmp_path: Path) -> None:
    async with bridges(tmp_path, 2) as house:
        await declare(house.all[0], "t", "v")
        await declare(house.all[1], "other", "w")
        await declare(house.all[1], "t", "w")
        listed = (await house.all[0].call("GET", "/v1/triggers?workspaceId=v")).value["triggers"]
        assert listed == []
        assert (await fire(house.all[0], "t"))["decision"] == "started"


async def test_another_takes_over_from_one_that_was_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with bridges(tmp_path, 2) as house:
        killed, left = house.all
        await declare(killed, "t", "w", schedule=EVERY_TWO_SECONDS)
        first = await fire(killed, "t", key="once")
        token = await _token(killed, first["executionId"])
        await killed.kill()
        died = monotonic()
        await _until_owned(left, "w")  # nobody asks: its ticks are due
        took = monotonic() - died
        with capsys.disabled():
            sys.stdout.write(f"\ntaken over after {took:.1f} s, of a lease of {LEASE:.0f} s\n")
        assert took < TWICE
        assert await fire(left, "t", key="once") == first
        assert (await fire(left, "t"))["reason"] == "active"
        await left.call("POST", f"/v1/executions/{first['executionId']}/cancel")
        second = await fire(left, "t")
        assert await _token(left, second["executionId"]) > token


async def test_a_zombie_gets_nothing_through(tmp_path: Path) -> None:
    """It stood still for longer than its lease, with a request that it had not read yet."""
    async with bridges(tmp_path, 2) as house:
        zombie, owner = house.all
        await declare(zombie, "t", "default")
        stream = await zombie.open_stream()
        zombie.signal(SIGSTOP)
        late = asyncio.create_task(fire(zombie, "t", key="late"))
        await asyncio.sleep(LEASE + 1)
        started = await fire(owner, "t", key="early")
        assert started["decision"] == "started"
        zombie.signal(SIGCONT)
        assert (await late)["activeExecutions"] == [started["executionId"]]
        await stream.end()
        assert owners(house, "default") == [0, 1]
        assert len(zombie.logged("decision")) == 0
        assert len(await house.decisions(owner)) == 2


async def test_one_that_stops_frees_its_workspaces_at_once(tmp_path: Path) -> None:
    async with bridges(tmp_path, 2, lease=60) as house:
        leaving, staying = house.all
        await declare(leaving, "t", "w")
        await leaving.terminate()
        assert (await fire(staying, "t"))["decision"] == "started"


async def test_one_that_stops_does_so_though_a_request_waits_for_another_that_stands_still(
    tmp_path: Path,
) -> None:
    async with bridges(tmp_path, 3, lease=60) as house:
        leaving, still, staying = house.all
        await declare(leaving, "t", "w")
        await declare(still, "other", "v")
        await fire(leaving, "other")  # so that it knows where to ask
        still.signal(SIGSTOP)
        waiting = asyncio.create_task(leaving.call("POST", "/v1/triggers/other/fire", {}))
        await asyncio.sleep(0.5)
        assert await leaving.terminate() == 0
        assert (await fire(staying, "t"))["decision"] == "started"
        still.signal(SIGCONT)
        waiting.cancel()


async def test_a_workspace_is_handed_over_while_it_is_used(tmp_path: Path) -> None:
    async with bridges(tmp_path, 3) as house:
        for number, bridge in enumerate(house.all):
            await declare(bridge, f"t{number}", f"w{number}")
        fired = asyncio.create_task(_keep_firing(house.all, "t0", 300))
        for to in (1, 2, 0, 1):
            await asyncio.sleep(0.3)
            code, said, _ = await run(
                *("hand-over", "w0", "--url", house.all[2].base, "--to", house.all[to].base),
                env=house.all[2]._env,
            )
            assert (code, said) == (0, f"The bridge at {house.all[to].base} decides for w0.\n")
        answered = await fired
        assert owners(house, "w0") == [0, 1, 2, 0, 1]
        recorded = await house.decisions(house.all[0])
        assert answered == [each["firingId"] for each in reversed(recorded)]
        assert sum(each["decision"] == "started" for each in recorded) == 1


async def test_one_that_is_cut_off_from_the_database_gives_up_in_time(tmp_path: Path) -> None:
    async with bridges(tmp_path, 1) as house, cable_of(house, tmp_path) as cable:
        cut, other = await house.add(url=cable.url), house.all[0]
        await declare(cut, "t", "default")
        stream = await cut.open_stream()
        cable.cut()
        await stream.end()
        reply = await cut.call("POST", "/v1/triggers/t/fire", {})
        assert reply.status == 503
        started = await fire_when_owned(other, "t")
        cable.mend()
        assert (await fire_when_owned(cut, "t"))["activeExecutions"] == [started["executionId"]]
        assert owners(house, "default") == [1, 0]


async def test_a_lease_that_is_over_when_its_answer_comes_is_not_counted_on(
    tmp_path: Path,
) -> None:
    async with bridges(tmp_path, 0) as house, cable_of(house, tmp_path) as cable:
        slow, other = await house.add(url=cable.url), await house.add()
        await declare(other, "t", "w")
        await other.terminate()
        cable.hold_back()
        late = asyncio.create_task(slow.call("GET", "/v1/workspaces/w"))
        await asyncio.sleep(LEASE)
        cable.mend()
        assert (await late).status == 503
        assert (await fire_when_owned(slow, "t"))["decision"] == "started"
        assert not [line for line in slow.log if "traceback" in line]


async def test_a_workspace_in_which_nothing_is_left_is_given_up(tmp_path: Path) -> None:
    async with bridges(tmp_path, 1) as house:
        (bridge,) = house.all
        await declare(bridge, "stays", "kept")
        await declare(bridge, "goes", "passing")
        assert await _metric(bridge, "workspaces_owned") == 2
        await bridge.call("DELETE", "/v1/triggers/goes")
        async with asyncio.timeout(PATIENCE):
            while await _metric(bridge, "workspaces_owned") > 1:  # noqa: ASYNC110
                await asyncio.sleep(0.2)
        assert owners(house, "kept") == [0]
        await declare(bridge, "goes", "passing")
        assert (await fire(bridge, "goes"))["decision"] == "started"


async def test_bridges_of_one_store_have_one_token(tmp_path: Path) -> None:
    async with bridges(tmp_path, 1) as house:
        await declare(house.all[0], "t", "w")
        env = {**house.all[0]._env, "SCHEDULE_BRIDGE_TOKEN_FILE": str(tmp_path / "other")}
        code, _, said = await run("serve", "--port", "1", env=env)
        assert code == 1
        assert "have another token" in said


@asynccontextmanager
async def cable_of(house: Bridges, folder: Path) -> AsyncIterator[Cable]:
    """A way to the database for one bridge alone."""
    (folder / "cable").mkdir()
    cable = Cable(house.url, folder / "cable")
    await cable.plug_in()
    try:
        yield cable
    finally:
        await cable.pull_out()


async def _metric(bridge: BridgeProcess, name: str) -> float:
    url = f"{bridge.base}/metrics"
    async with bridge.session.get(url, headers=bridge.authorized) as response:
        lines = (await response.text()).splitlines()
    (found,) = (line for line in lines if line.startswith(f"schedule_bridge_{name} "))
    return float(found.split()[-1])


async def _token(bridge: BridgeProcess, execution_id: str) -> int:
    view = (await bridge.call("GET", f"/v1/executions/{execution_id}")).value
    token: int = view["fencingToken"]
    return token


async def _until_owned(bridge: BridgeProcess, workspace: str) -> None:
    said = f"This bridge decides for {workspace}."
    async with asyncio.timeout(PATIENCE):
        while said not in [line["message"] for line in bridge.logged("own")]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)  # it is a process, and its log is all that it says unasked


async def _keep_firing(asked: list[BridgeProcess], trigger_id: str, times: int) -> list[str]:
    """The ids of firings that were answered, each asked of another bridge."""
    answered = []
    for number in range(times):
        decision = await fire(asked[number % len(asked)], trigger_id, key=f"k{number}")
        answered.append(decision["firingId"])
        await asyncio.sleep(0.01)
    return answered
