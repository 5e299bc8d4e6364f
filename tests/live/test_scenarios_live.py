"""Scenarios played through the whole live service come out as the simulator prints them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from databases.stores import EVERY_KIND
from live.expected import expected
from live.hands import PostHands, StreamHands
from live.observed import executions_seen, frames_seen, jobs_cancelled
from live.player import Player
from live.stage import stage_in

if TYPE_CHECKING:
    from store.open_stores import MakeStore

FOLDER = Path(__file__).parents[1] / "scenarios"

OF_ONE_WORKSPACE = [
    "skip-drops-ticks",
    "queue-latest-state",
    "allow-two",
    "buffer-mailbox",
    "buffer-other-run-active",
    "cancel-newest-wins",
    "cancel-at-capacity",
    "cancel-leaves-jobs",
    "terminate-jobs-first",
    "corner-cancel-step-leaves-jobs-terminate-step-takes-them",
    "lock-queue-by-priority",
    "lock-other-keys-free",
    "events-merge-while-waiting",
    "on-hold-fifo",
    "on-hold-limit-raised",
    "delay-merges",
    "delay-then-overlap",
    "pause-trigger",
    "paused-run-counts",
    "per-repository",
    "stale-guard-minutes",
    "remove-trigger",
    "policy-change-keeps-held",
    "anchor-stays-while-the-period-stays",
    "unknown-policy",
]


def read(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text())


@pytest.mark.parametrize("make_store", EVERY_KIND)
@pytest.mark.parametrize("name", OF_ONE_WORKSPACE)
async def test_a_client_on_its_stream_sees_what_the_simulator_prints(
    tmp_path: Path, make_store: MakeStore, name: str
) -> None:
    case = read(name)
    async with stage_in(tmp_path, make_store) as stage:
        hands = StreamHands(stage, await stage.open_stream())
        player = Player(stage, hands, case["scenario"])
        await player.play()
        shown = await player.executions()
        seen = frames_seen(hands, player)
        seen.executions = executions_seen(shown)
        seen.cancelled_jobs = jobs_cancelled(stage)
    assert seen == expected(case["expect"])


@pytest.mark.parametrize("make_store", EVERY_KIND)
@pytest.mark.parametrize("name", [*OF_ONE_WORKSPACE, "two-workspaces"])
async def test_an_api_client_without_a_stream_finds_the_same_executions(
    tmp_path: Path, make_store: MakeStore, name: str
) -> None:
    case = read(name)
    async with stage_in(tmp_path, make_store) as stage:
        player = Player(stage, PostHands(stage), case["scenario"])
        await player.play()
        shown = await player.executions()
    assert executions_seen(shown) == expected(case["expect"]).executions
