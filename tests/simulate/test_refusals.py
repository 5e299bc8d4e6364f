"""What a scenario may leave out, and what is told of one that breaks the rules."""

from __future__ import annotations

import pytest

from schedule_bridge.simulate import ScenarioRefused, simulate

EVERY_MINUTE = {"kind": "interval", "every": 60}


def test_runs_without_a_duration_end_only_by_a_step() -> None:
    trigger = {"triggerId": "t", "schedule": EVERY_MINUTE, "maxRunMinutes": 600}
    events = simulate({"triggers": [trigger], "runs": {"t": {}}, "until": 120})
    assert [event["event"] for event in events] == ["execution.started", "firing.skipped"]


def test_an_outcome_alone_ends_no_run() -> None:
    trigger = {"triggerId": "t", "schedule": EVERY_MINUTE}
    runs = {"t": {"outcome": "failed"}}
    events = simulate({"triggers": [trigger], "runs": runs, "until": 60})
    assert [event["event"] for event in events] == ["execution.started"]


def test_every_trigger_that_is_declared_twice_is_named() -> None:
    with pytest.raises(ScenarioRefused) as refused:
        simulate({"triggers": [{"triggerId": "t"}] * 30})
    assert len(refused.value.faults) == 29
