"""The store fails under a running bridge: no decision that is not durable, and it goes on after.

The bridge is a process of its own and the faults are done to its real file.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cli.bridge_process import serving

from .trouble import cut_in_half, damage_page_of, fold_in_the_log, full_disk, locked, log_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from cli.bridge_process import BridgeProcess

_RECOVERS_WITHIN_SECONDS = 60


@pytest.fixture
async def bridge(tmp_path: Path) -> AsyncIterator[BridgeProcess]:
    """With a trigger that has fired once."""
    async with serving(tmp_path) as it:
        await it.call("PUT", "/v1/triggers/t", {"overlapPolicy": "allow", "maxConcurrent": 99})
        assert await fire(it) == "started"
        yield it


def database_of(bridge: BridgeProcess) -> Path:
    return bridge.folder / "bridge.db"


async def fire(bridge: BridgeProcess) -> str:
    """What came of a firing, or the problem with it."""
    reply = await bridge.call("POST", "/v1/triggers/t/fire", {})
    if reply.status != 200:
        return f"{reply.status} {reply.problem}"
    verdict: str = reply.value["decisions"][0]["decision"]
    return verdict


async def runs(bridge: BridgeProcess) -> list[str]:
    page = (await bridge.call("GET", "/v1/executions")).value
    return [each["executionId"] for each in page["executions"]]


async def ready(bridge: BridgeProcess) -> int:
    return (await bridge.call("GET", "/readyz")).status


async def recovered(bridge: BridgeProcess) -> None:
    async with asyncio.timeout(_RECOVERS_WITHIN_SECONDS):
        while await ready(bridge) != 200:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)


async def said(bridge: BridgeProcess) -> str:
    """The first that the log says of the store."""
    async with asyncio.timeout(_RECOVERS_WITHIN_SECONDS):
        while not bridge.logged("store"):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)
    message: str = bridge.logged("store")[0]["message"]
    return message


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (lambda bridge: full_disk(bridge.pid), "The system cannot read or write the store"),
        (lambda bridge: locked(database_of(bridge)), "is locked by another program."),
    ],
    ids=["full disk", "locked"],
)
async def test_what_passes_is_waited_for(
    bridge: BridgeProcess,
    trouble: Callable[[BridgeProcess], AbstractContextManager[None]],
    words: str,
) -> None:
    before = await runs(bridge)
    with trouble(bridge):
        assert await fire(bridge) == "503 store-unavailable"
        assert await ready(bridge) == 503
        assert await fire(bridge) == "503 store-unavailable"
    await recovered(bridge)
    assert await runs(bridge) == before
    assert await fire(bridge) == "started"
    assert words in await said(bridge)
    assert str(database_of(bridge)) in await said(bridge)


async def test_a_log_deleted_under_the_bridge_costs_nothing(bridge: BridgeProcess) -> None:
    """Not even when the bridge is killed as soon as it has noticed."""
    before = await runs(bridge)
    log_of(database_of(bridge)).unlink()
    assert await fire(bridge) == "503 store-unavailable"
    await recovered(bridge)
    assert await fire(bridge) == "started"
    assert "bridge.db-wal or bridge.db-shm was deleted or replaced" in await said(bridge)
    await bridge.kill()
    await bridge.start()
    after = await runs(bridge)
    assert after[1:] == before
    assert len(after) == 2


async def test_a_store_that_was_moved_away_is_waited_for(bridge: BridgeProcess) -> None:
    database, elsewhere = database_of(bridge), bridge.folder / "elsewhere"
    database.rename(elsewhere)
    assert await fire(bridge) == "503 store-unavailable"
    assert "was moved away or deleted" in await said(bridge)
    assert not database.exists()
    elsewhere.rename(database)
    await recovered(bridge)
    assert await fire(bridge) == "started"


async def test_a_store_that_was_replaced_is_not_written_before_a_restart(
    bridge: BridgeProcess, tmp_path: Path
) -> None:
    database, copy = database_of(bridge), tmp_path / "copy"
    copy.write_bytes(database.read_bytes())
    copy.replace(database)
    before = database.read_bytes()
    assert await fire(bridge) == "503 store-unavailable"
    assert "Restart the bridge" in await said(bridge)
    await asyncio.sleep(2)  # it has tried again by now
    assert await ready(bridge) == 503
    assert database.read_bytes() == before


def _damage_executions(database: Path) -> None:
    damage_page_of(database, "executions")


@pytest.mark.parametrize(
    "spoil", [_damage_executions, cut_in_half], ids=["a damaged page", "truncated"]
)
async def test_damage_is_found_at_the_next_reading_and_stays_said(
    bridge: BridgeProcess, spoil: Callable[[Path], None]
) -> None:
    fold_in_the_log(database_of(bridge))
    spoil(database_of(bridge))
    answers: set[Any] = {await fire(bridge) for _ in range(3)}
    assert answers == {"503 store-unavailable"}
    await asyncio.sleep(2)  # it has tried again by now
    assert await ready(bridge) == 503
    assert {await fire(bridge)} == {"503 store-unavailable"}
    assert f"The store {database_of(bridge)} is damaged" in await said(bridge)


async def test_history_that_cannot_be_read_is_no_reason_to_stop_deciding(
    bridge: BridgeProcess,
) -> None:
    (run,) = await runs(bridge)
    await bridge.call("POST", f"/v1/executions/{run}/cancel")
    fold_in_the_log(database_of(bridge))
    damage_page_of(database_of(bridge), "jobs")
    reply = await bridge.call("GET", f"/v1/executions/{run}")
    assert (reply.status, reply.problem) == (503, "store-unavailable")
    assert "is damaged" in reply.value["detail"]
    assert await ready(bridge) == 200
    assert await fire(bridge) == "started"
