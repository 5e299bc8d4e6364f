"""The core against the model: random scenarios, for as long as SEARCH_SECONDS says."""

from __future__ import annotations

import os
import secrets
import sys
import time
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, seed, settings

from schedule_bridge.simulate import simulate

from .model import model_simulate
from .scenarios import scenarios
from .watch import WatchedMachine

if TYPE_CHECKING:
    import pytest

SECONDS = float(os.environ.get("SEARCH_SECONDS", "20"))
FIRST_SEED = int(os.environ.get("SEARCH_SEED", secrets.randbelow(1_000_000)))
BATCH = settings(
    max_examples=100,
    deadline=None,
    database=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)


def search_with(number: int) -> int:
    """Compares one batch of scenarios and returns how many events they printed."""
    printed = 0

    @seed(number)
    @BATCH
    @given(scenarios())
    def agree(scenario: dict[str, Any]) -> None:
        nonlocal printed
        events = simulate(scenario)
        assert events == model_simulate(scenario)
        printed += len(events)

    try:
        agree()
    except BaseException as error:
        error.add_note(f"Found with SEARCH_SEED={number}.")
        raise
    return printed


def test_the_core_prints_what_the_model_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("schedule_bridge.simulate.run.Machine", WatchedMachine)
    until = time.monotonic() + SECONDS
    number, events = FIRST_SEED, 0
    while time.monotonic() < until:
        events += search_with(number)
        number += 1
    with capsys.disabled():
        batches = number - FIRST_SEED
        sys.stdout.write(f"\nmodel: SEARCH_SEED={FIRST_SEED}, {100 * batches} scenarios, ")
        sys.stdout.write(f"{events} events alike\n")
