"""`schedule-bridge status`: how workspaces and triggers stand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from schedule_bridge.cli.when import local_time, now

from .operator_bridge import RunningBridge, running_bridge
from .operator_past import Past

if TYPE_CHECKING:
    from collections.abc import Iterator

NODE_ID = "5e1c0f3a77d1a0c2.9b8d7e6f5a4c3b2a"
NOISY_NAME = "[bold]loud[/bold] :smile:"


@pytest.fixture(scope="module")
def bridge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBridge]:
    past = Past()
    past.trigger("down", "was down", workspaceId="other")
    past.missed("down", first=10, last=30, ticks=3)
    with running_bridge(tmp_path_factory.mktemp("bridge"), past.batch) as it:
        it.declare("every", name="images", schedule={"kind": "interval", "every": 600})
        cron = {"kind": "cron", "expression": "30 2 * * *", "timezone": "Europe/Budapest"}
        it.declare("cron", name=NOISY_NAME, schedule=cron, overlapPolicy="allow", maxConcurrent=2)
        it.declare(NODE_ID, overlapPolicy="sideways")
        it.declare("full", workspaceId="full", overlapPolicy="queue", lockKeys=["a", "b", "c"])
        it.ask("PUT", "/workspaces/full", {"maxConcurrentExecutions": 2})
        yield it


def _lines(bridge: RunningBridge, *arguments: str) -> list[str]:
    said = bridge.run("status", *arguments)
    assert said.exit_code == 0, said.stderr
    return said.stdout.splitlines()


def _row(bridge: RunningBridge, beginning: str, workspace: str = "default") -> str:
    """The lines of a trigger's row, from its own to the next one's."""
    lines = _lines(bridge, "--workspace", workspace)
    start = next(place for place, line in enumerate(lines) if line.startswith(beginning))
    more = [line for line in lines[start + 1 :] if line.startswith(" ")]
    return " ".join(" ".join([lines[start], *more]).split())


def test_a_workspace_says_how_much_of_it_is_in_use(bridge: RunningBridge) -> None:
    assert _lines(bridge, "--workspace", "full")[0] == "Workspace full: 0 of 2 in use"
    runs = [decision["executionId"] for decision in bridge.fire("full")]
    bridge.ask("POST", f"/executions/{runs[0]}/started")
    bridge.fire("full")
    counts = "1 running, 1 starting, 1 on hold, 3 queued"
    assert _lines(bridge, "--workspace", "full")[0] == f"Workspace full: 2 of 2 in use: {counts}"


def test_without_a_limit_it_says_so(bridge: RunningBridge) -> None:
    assert _lines(bridge, "--workspace", "other")[0] == "Workspace other: nothing runs, no limit"


def test_every_workspace_with_triggers_is_shown(bridge: RunningBridge) -> None:
    heads = [line for line in _lines(bridge) if line.startswith("Workspace ")]
    shown = {head.partition(":")[0].split()[1] for head in heads}
    assert shown >= {"default", "full", "other"}
    assert "bare" not in shown


def test_a_trigger_is_shown_with_schedule_policy_and_last_decision(bridge: RunningBridge) -> None:
    (decision,) = bridge.fire("every")
    row = _row(bridge, "images")
    assert row.startswith("images Every 10 minutes skip ")
    time = local_time(decision["decidedAt"], now())
    assert f"{decision['executionId'][:4]} {time} Started: run" in row


def test_names_are_shown_as_they_are(bridge: RunningBridge) -> None:
    text = " ".join(_lines(bridge))
    assert NOISY_NAME.split(maxsplit=1)[0] in text
    assert ":smile:" in text


def test_a_cron_schedule_is_shown_in_words_with_its_zone(bridge: RunningBridge) -> None:
    text = " ".join(_lines(bridge))
    assert "At 02:30" in text
    assert "(Europe/Budapest)" in text
    assert "allow 2" in text


def test_a_trigger_without_a_name_goes_by_the_ending_of_its_id(bridge: RunningBridge) -> None:
    row = _row(bridge, "…9b8d7e6f5a4c3b2a")
    assert "No schedule skip" in row
    assert "Its overlap policy is unknown and treated as skip." in row
    assert bridge.run("why", "…9b8d7e6f5a4c3b2a").stderr == ""


def test_of_two_triggers_of_one_name_the_ids_are_shown(bridge: RunningBridge) -> None:
    bridge.declare("one", name="twin", workspaceId="twins")
    bridge.declare("two", name="twin", workspaceId="twins")
    rows = " ".join(_lines(bridge, "--workspace", "twins"))
    assert "twin (one)" in rows
    assert "twin (two)" in rows


def test_a_workspace_without_triggers_says_so(bridge: RunningBridge) -> None:
    assert _lines(bridge, "--workspace", "bare")[1:] == ["There are no triggers."]


def test_a_pause_is_remarked(bridge: RunningBridge) -> None:
    bridge.declare("pausing", name="pausing", workspaceId="pausing")
    since = bridge.ask("POST", "/triggers/pausing/pause")["pausedSince"]
    row = _row(bridge, "pausing", "pausing")
    assert f"Paused since {local_time(since, now())}." in row
    bridge.ask("POST", "/triggers/pausing/resume")


def test_what_a_trigger_holds_is_remarked(bridge: RunningBridge) -> None:
    bridge.declare("late", name="late", workspaceId="late", delaySeconds=3600)
    bridge.fire("late")
    assert "A firing is delayed until " in _row(bridge, "late", "late")


def test_a_trigger_that_keeps_skipping_says_so(bridge: RunningBridge) -> None:
    bridge.declare("stuck", name="stuck", workspaceId="stuck")
    (decision,) = bridge.fire("stuck")
    bridge.fire("stuck")
    bridge.fire("stuck")
    row = _row(bridge, "stuck", "stuck")
    assert "Skipped 2 times since " in row
    assert f"behind run {decision['executionId'][:4]}." in row


def test_a_missed_stretch_is_remarked(bridge: RunningBridge) -> None:
    row = _row(bridge, "was down", "other")
    assert "3 ticks were missed until" in row
    assert "the bridge was down." in row


def test_the_json_is_made_of_the_apis_own_objects(bridge: RunningBridge) -> None:
    said = json.loads(bridge.run("status", "--json", "--workspace", "other").stdout)
    assert said == {
        "workspaces": [bridge.ask("GET", "/workspaces/other")],
        "triggers": bridge.ask("GET", "/triggers?workspaceId=other")["triggers"],
    }


def test_in_a_pipe_there_are_no_colours_and_lines_of_100_characters(bridge: RunningBridge) -> None:
    said = bridge.pipe("status")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.replace("\n", "").isprintable()
    assert max(map(len, said.stdout.splitlines())) == 100


def test_a_pipe_without_unicode_gets_a_table_too(bridge: RunningBridge) -> None:
    bridge.declare("odd", name="képek 画像", workspaceId="odd")
    said = bridge.pipe("status", "--workspace", "odd", PYTHONIOENCODING="ascii")
    assert (said.returncode, said.stderr) == (0, "")
    assert "k?pek ??" in said.stdout
