"""docs/scaling.md says what was measured, and what follows from it by its own arithmetic."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.bridges import page, record
from bench.bridges.cores import Cores
from bench.bridges.sizing import STREAMS_OF_A_BRIDGE, Costs, House, Machine, need

COSTS = Costs(
    bridge_request=100,
    database_request=200,
    commits_request=1,
    wal_request=1_000,
    bridge_workspace=0,
    database_workspace=0,
    wal_workspace=0,
    bridge_stream=0,
    bridge_bytes=50e6,
    trigger_bytes=1_000,
    workspace_bytes=10_000,
    stream_bytes=20_000,
    run_disk_bytes=2_000,
    trigger_disk_bytes=0,
    workspace_milliseconds=10,
    trigger_milliseconds=0.1,
)
SMALL = House(clients=100, triggers=1_000, every=10)


def test_the_page_is_what_the_record_says() -> None:
    before = page.PAGE.read_text()
    assert page.with_figures(before, record.kept()) == before


def test_a_house_is_computed_as_the_page_says() -> None:
    it = need(SMALL, COSTS)
    assert (it.requests, it.commits) == (300, 300)
    assert it.bridge_cores == pytest.approx(300 * 100e-6 / 0.6)
    assert it.database_cores == pytest.approx(300 * 200e-6 / 0.6)
    assert it.wal_megabytes == pytest.approx(0.3)
    assert it.disk_gigabytes == pytest.approx(100 * 86_400 * 30 * 2_000 / 1e9)
    assert (it.bridges, it.connections) == (2, 28)
    assert it.bridge_megabytes == pytest.approx(50 + (1_000 * 1_000 + 100 * 30_000) / 2 / 1e6)
    assert it.take_over_seconds == pytest.approx((50 * 10 + 500 * 0.1) / 1_000)


def test_bridges_are_as_many_as_processors_and_connections_want() -> None:
    many = replace(SMALL, clients=5 * STREAMS_OF_A_BRIDGE + 1)
    assert need(many, COSTS).bridges == 6
    quick = replace(SMALL, triggers=1_000_000)
    assert need(quick, COSTS).bridges == 50


def test_the_wall_that_is_nearest_stands_first() -> None:
    walls = need(SMALL, COSTS).walls(Machine(cores=16, connections=14, disk_gigabytes=10_000))
    assert next(iter(walls.items())) == ("connections to the database", 2)


def test_bridges_take_turns_on_the_cores_that_they_have() -> None:
    four = Cores(client=3, database=2, bridges=(0, 1))
    assert [four.of_bridge(number) for number in range(3)] == [0, 1, 0]
    assert str(four) == "bridges on core 0, 1, PostgreSQL on core 2, the client on core 3"
