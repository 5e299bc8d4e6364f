"""The store fails under a running bridge: nothing is decided, nothing is lost, and it recovers."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from schedule_bridge.store import Batch, SqliteStore, writing
from service.bridge import RunningBridge

T = {"triggerId": "t", "overlapPolicy": "allow", "maxConcurrent": 9}


@contextmanager
def broken_disk(bridge: RunningBridge) -> Iterator[None]:
    """Commits fail as they do on a disk that is full."""
    assert isinstance(bridge.engine.store, SqliteStore)

    def fail(_connection: sqlite3.Connection, _batch: Batch) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "_write_history", fail)
        yield


async def recovered(bridge: RunningBridge) -> None:
    async with asyncio.timeout(10):
        while (await bridge.call("GET", "/readyz")).status != 200:
            pass


async def test_it_is_said_and_passes(bridge: RunningBridge) -> None:
    await bridge.set()
    before = await bridge.everything()
    with broken_disk(bridge):
        refused = await bridge.call("POST", "/v1/triggers/t/fire", {})
        assert (refused.status, refused.problem) == (503, "store-unavailable")
        unready = await bridge.call("GET", "/readyz")
        assert (unready.status, unready.problem) == (503, "store-unavailable")
        assert (await bridge.call("GET", "/healthz")).status == 200
        for path in ("/v1/triggers", "/v1/info", "/v1/workspaces/default"):
            assert (await bridge.call("GET", path)).status == 503
    await recovered(bridge)
    assert await bridge.everything() == before
    assert [each["decision"] for each in await bridge.fire()] == ["started"]


async def test_a_stream_is_closed_without_an_answer_and_its_reports_are_taken_later(
    bridge: RunningBridge,
) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    runs = []
    for _ in range(2):
        await bridge.fire()
        runs.append((await stream.next())["executionId"])
    await stream.claim(runs[0])
    with broken_disk(bridge):
        await stream.tell("finished", executionId=runs[0], outcome="completed")
        await stream.tell("started", executionId=runs[1])
        assert (await stream.end()).code == 4006
        assert (await bridge.refused_stream()).code == 1013
    await recovered(bridge)
    again = await bridge.open_stream()
    assert (await again.finish(runs[0]))["ignored"] is False
    assert (await again.claim(runs[1]))["confirmed"] is True
    assert not [each for each in stream.seen if each.get("re", 0) > 2]


async def test_a_here_whose_commit_fails_is_said_again(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    with broken_disk(bridge):
        await stream.tell("here", triggers=[T], runs=[])
        assert (await stream.end()).code == 4006
    await recovered(bridge)
    assert (await bridge.call("GET", "/v1/triggers/t")).status == 404
    again = await bridge.open_stream()
    assert (await again.here(T))["invalid"] == []
