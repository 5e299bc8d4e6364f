"""A bridge whose `--address` nobody reaches: it decides for who asks itself, the others say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.bridge_process import run
from service.shared_bridge import free_port

from .house import bridges, declare, fire

if TYPE_CHECKING:
    from pathlib import Path


async def test_nothing_is_decided_twice_and_the_workspace_can_be_handed_over(
    tmp_path: Path,
) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    async with bridges(tmp_path, 0) as house:
        unreached = await house.add(SCHEDULE_BRIDGE_ADDRESS=nowhere)
        other = await house.add()
        await declare(unreached, "t", "w")
        asked = await other.call("POST", "/v1/triggers/t/fire", {}, key="k")
        assert (asked.status, asked.problem) == (503, "owner-away")
        assert nowhere in asked.value["detail"]
        started = await fire(unreached, "t", key="k")
        assert started["decision"] == "started"
        code, said, _ = await run(*("hand-over", "w", "--to", other.base), env=unreached._env)
        assert (code, said) == (0, f"The bridge at {other.base} decides for w.\n")
        assert await fire(other, "t", key="k") == started
        assert (await fire(unreached, "t"))["activeExecutions"] == [started["executionId"]]
        assert len(await house.decisions(other)) == 2
