"""A workspace is handed over to a bridge of the store, and to nobody else."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cli.bridge_process import run

from .house import bridges, declare, fire, owners

if TYPE_CHECKING:
    from pathlib import Path

    from service.caller import Called

    from .house import Bridges


async def handed_over(house: Bridges, workspace: str, **body: str) -> Called:
    path = f"/v1/workspaces/{workspace}/hand-over"
    return await house.all[0].call("POST", path, body)


async def test_a_bridge_that_owns_nothing_is_found(tmp_path: Path) -> None:
    async with bridges(tmp_path, 3) as house:
        await declare(house.all[0], "t", "v")
        await declare(house.all[1], "u", "w")
        code, said, _ = await run("hand-over", "v", env=house.all[0]._env)
        assert (code, said) == (0, f"The bridge at {house.all[2].base} decides for v.\n")
        assert (await fire(house.all[1], "t"))["decision"] == "started"
        assert owners(house, "v") == [0, 2]


async def test_one_that_has_stopped_is_not_asked(tmp_path: Path) -> None:
    async with bridges(tmp_path, 2) as house:
        await declare(house.all[0], "t", "v")
        await house.all[1].terminate()
        for body in ({}, {"to": house.all[1].base}):
            reply = await handed_over(house, "v", **body)
            assert (reply.status, reply.problem) == (409, "not-handed-over")
        assert (await fire(house.all[0], "t"))["decision"] == "started"
        assert owners(house, "v") == [0]


async def test_an_address_of_nobody_gets_no_request(tmp_path: Path) -> None:
    connected = asyncio.Event()
    stranger = await asyncio.start_server(lambda *_: connected.set(), "127.0.0.1", 0)
    address = f"http://127.0.0.1:{stranger.sockets[0].getsockname()[1]}"
    async with stranger, bridges(tmp_path, 2) as house:
        await declare(house.all[0], "t", "v")
        reply = await handed_over(house, "v", to=address)
        assert (reply.status, reply.problem) == (409, "not-handed-over")
        others = f"Others run at {house.all[1].base}."
        assert reply.value["detail"] == f"No other bridge of this store runs at {address}. {others}"
        assert not connected.is_set()
        assert owners(house, "v") == [0]
