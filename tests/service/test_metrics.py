"""GET /metrics: Prometheus reads it, it counts what is durable, and its labels are bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.parser import text_string_to_metric_families

from schedule_bridge.store import StoreError
from service.edge import AUTHORIZED

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

    from service.bridge import RunningBridge


async def scrape(
    bridge: RunningBridge, headers: Mapping[str, str] = AUTHORIZED
) -> tuple[int, str, str]:
    async with bridge.session.get(f"{bridge.base}/metrics", headers=headers) as response:
        return response.status, response.headers["Content-Type"], await response.text()


async def samples(bridge: RunningBridge) -> dict[str, float]:
    """Each sample that is not nought, by its name without the prefix and its labels' values."""
    status, _, text = await scrape(bridge)
    assert status == 200
    found = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        for sample in family.samples:
            name = sample.name.removeprefix("schedule_bridge_")
            found[" ".join((name, *filter(None, sample.labels.values())))] = sample.value
    return {name: value for name, value in found.items() if value}


async def test_prometheus_reads_it_in_its_text_format(bridge: RunningBridge) -> None:
    status, content_type, text = await scrape(bridge)
    assert (status, content_type) == (200, "text/plain; version=0.0.4; charset=utf-8")
    names = [family.name for family in text_string_to_metric_families(text)]
    assert names == [
        f"schedule_bridge_{name}"
        for name in (
            *("decisions", "executions_ended", "missed_ticks"),
            *("commit_rows", "commit_seconds", "failed_commits"),
            *("store_up", "clients_here", "clock_ahead_seconds", "executions", "triggers"),
        )
    ]


async def test_it_wants_the_token(bridge: RunningBridge) -> None:
    assert (await scrape(bridge, {}))[0] == 401


async def test_decisions_executions_and_ends_are_counted(bridge: RunningBridge) -> None:
    await bridge.set(overlapPolicy="queue")
    await bridge.set("u")
    run = await bridge.start_run()
    for name in ("t", "t", "u", "u"):
        await bridge.fire(name)
    await bridge.call("POST", f"/v1/executions/{run}/finished", {"outcome": "failed"})
    found = await samples(bridge)
    assert {name: value for name, value in found.items() if name.startswith("decisions")} == {
        "decisions_total started": 3,
        "decisions_total queued": 1,
        "decisions_total merged": 1,
        "decisions_total skipped active": 1,
    }
    assert found["executions_ended_total failed"] == 1
    assert found["executions pending"] == 2
    assert found["triggers"] == 2


async def test_commits_are_measured(bridge: RunningBridge) -> None:
    await bridge.set()
    before = await samples(bridge)
    await bridge.fire()
    after = await samples(bridge)
    assert (before["commit_rows_count"], after["commit_rows_count"]) == (1, 2)
    assert after["commit_rows_sum"] - before["commit_rows_sum"] == 3
    assert after["commit_seconds_sum"] > before["commit_seconds_sum"]
    assert after["commit_rows_bucket +Inf"] == after["commit_rows_bucket 5.0"] == 2


async def test_clients_are_counted_while_they_are_here(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    assert "clients_here" not in await samples(bridge)
    await stream.here()
    assert (await samples(bridge))["clients_here"] == 1


async def test_a_store_that_fails_shows(
    bridge: RunningBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bridge.set()

    async def fail(*_: object) -> None:
        raise StoreError("The disk is gone.")

    for name in ("append", "load"):
        monkeypatch.setattr(bridge.engine.store, name, fail)
    assert (await samples(bridge))["store_up"] == 1
    assert (await bridge.call("POST", "/v1/triggers/t/fire")).status == 503
    found = await samples(bridge)
    assert found["failed_commits_total"] == 1
    assert "store_up" not in found
    assert "decisions_total started" not in found


async def test_no_label_names_a_trigger_an_execution_or_a_client(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream("the client")
    await stream.here({"triggerId": "the trigger", "workspaceId": "default", "lockKey": "the key"})
    await bridge.fire("the trigger")
    run = (await stream.next("execution.start"))["executionId"]
    text = (await scrape(bridge))[2]
    assert [word for word in ("the client", "the trigger", "the key", run) if word in text] == []
