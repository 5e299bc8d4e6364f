"""Random scenarios come to the same on a live bridge as in the simulator."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from core.scenarios import scenarios
from databases.stores import sqlite_in
from live.expected import expected
from live.hands import PostHands
from live.observed import executions_seen
from live.player import Player
from live.stage import stage_in
from schedule_bridge.simulate import simulate

if TYPE_CHECKING:
    import pytest

    from service.caller import Json

SECONDS = float(os.environ.get("SEARCH_SECONDS", "10"))
FIRST_SEED = int(os.environ.get("SEARCH_SEED", secrets.randbelow(1_000_000)))
BATCH = settings(
    max_examples=10,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
_OF_JOBS = ("addJob", "finishJob")


def playable(scenario: Json) -> Json:
    """The scenario without what the two tell apart.

    Runs that end by themselves go first in an instant of the simulator, a client's report last;
    a job is named within its execution on the bridge.
    """
    until = scenario.get("until", max((each["at"] for each in scenario["steps"]), default=0))
    steps = [
        step for step in scenario["steps"] if step["do"] not in _OF_JOBS and step["at"] <= until
    ]
    return {**scenario, "runs": {}, "until": until, "steps": steps}


def as_claimed(executions: dict[str, tuple[Any, Any, str]]) -> dict[str, tuple[Any, Any, str]]:
    """A start that ends within its instant is claimed by the simulator's clients alone."""
    return {
        name: (None if started == ended else started, ended, state)
        for name, (started, ended, state) in executions.items()
    }


async def played(scenario: Json) -> dict[str, tuple[Any, Any, str]]:
    """What a live bridge shows of the executions in the end."""
    with TemporaryDirectory() as folder:
        async with stage_in(Path(folder), sqlite_in) as stage:
            player = Player(stage, PostHands(stage), scenario)
            await player.play()
            return executions_seen(await player.executions())


def search_with(number: int) -> int:
    """Plays one batch of scenarios and returns how many executions came out alike."""
    alike = 0

    @seed(number)
    @BATCH
    @given(scenarios(fewest_steps=15))
    def agree(scenario: Json) -> None:
        nonlocal alike
        scenario = playable(scenario)
        seen = asyncio.run(played(scenario))
        assert as_claimed(seen) == as_claimed(expected(simulate(scenario)).executions)
        alike += len(seen)

    try:
        agree()
    except BaseException as error:
        error.add_note(f"Found with SEARCH_SEED={number}.")
        raise
    return alike


def test_a_live_bridge_comes_to_what_the_simulator_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    until = time.monotonic() + SECONDS
    number, executions = FIRST_SEED, 0
    while time.monotonic() < until:
        executions += search_with(number)
        number += 1
    with capsys.disabled():
        batches = number - FIRST_SEED
        sys.stdout.write(f"\nlive: SEARCH_SEED={FIRST_SEED}, {10 * batches} scenarios, ")
        sys.stdout.write(f"{executions} executions alike\n")
