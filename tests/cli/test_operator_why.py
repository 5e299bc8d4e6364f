"""`schedule-bridge why`: the decision on a firing, its sentence, the runs in the way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from schedule_bridge.core.decisions import Verdict

from .operator_bridge import RunningBridge, running_bridge
from .operator_past import Past, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = "Skipped: run 7f3a of this workflow has been running for 10 min."
BUSY_FIRINGS = 1200


@pytest.fixture(scope="module")
def bridge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBridge]:
    past = Past()
    for tell in (_one_was_in_the_way, _one_was_queued, _two_keys, _the_bridge_was_down, _much):
        tell(past)
    past.trigger("quiet", "quiet")
    for node in ("aa", "ba"):
        past.trigger(f"flow.{node}", "twin")
    with running_bridge(tmp_path_factory.mktemp("bridge"), past.batch) as it:
        yield it


def _one_was_in_the_way(past: Past) -> None:
    past.trigger("house.images", "classify images")
    past.run("7f3a000000000000", "house.images", created=0, started=0, ended=12)
    past.started("house.images", 0, "7f3a000000000000")
    past.skipped("house.images", 10, "7f3a000000000000", LONG)


def _one_was_queued(past: Past) -> None:
    past.trigger("queueing", "queueing", overlapPolicy="queue")
    past.run("aaaa000000000000", "queueing", created=0, started=0, ended=14)
    past.run("bbbb000000000000", "queueing", created=10, started=14, ended=15)
    past.started("queueing", 0, "aaaa000000000000")
    past.started("queueing", 14, "bbbb000000000000")
    merged = "Merged into run bbbb, which is queued."
    past.decision("queueing", 12, Verdict.MERGED, merged, execution_id="bbbb000000000000")


def _two_keys(past: Past) -> None:
    past.trigger("keys", "two keys")
    for minute in (0, 10):
        for key in ("acme/site", "acme/blog"):
            past.started("keys", minute, f"{key[5:9]}{minute}", key)


def _the_bridge_was_down(past: Past) -> None:
    past.trigger("down", "was down")
    past.skipped("down", 0, "gone", "Skipped: run gone of this workflow is about to start.")
    past.missed("down", first=10, last=30, ticks=3)


def _much(past: Past) -> None:
    past.trigger("busy", "busy")
    for number in range(BUSY_FIRINGS):
        past.skipped("busy", number / 60, "gone", f"Skipped: number {number}.")


def _json(bridge: RunningBridge, *arguments: str) -> Any:
    return json.loads(bridge.run("why", *arguments, "--json").stdout)


def _messages(bridge: RunningBridge, *arguments: str) -> list[str]:
    return [decision["message"] for decision in _json(bridge, *arguments)["decisions"]]


@pytest.mark.parametrize("trigger", ["house.images", "classify images", "images"])
def test_the_latest_decision_is_told_with_the_run_in_the_way(
    bridge: RunningBridge, trigger: str
) -> None:
    said = bridge.run("why", trigger)
    assert said.exit_code == 0
    headline, sentence, _, _, run, *_ = said.stdout.splitlines()
    assert headline.startswith("classify images, the latest decision (")
    assert sentence == LONG
    assert run.startswith("7f3a  in the way  completed")
    assert "12 min" in run


def test_at_a_time_the_firing_of_that_time_is_told(bridge: RunningBridge) -> None:
    assert _messages(bridge, "images", "--at", text_of(0)) == ["Started: run 7f3a."]
    assert _messages(bridge, "images", "--at", text_of(10)) == [LONG]


def test_between_two_firings_the_one_before_is_told_and_said_to_be(bridge: RunningBridge) -> None:
    said = bridge.run("why", "images", "--at", text_of(5)).stdout
    assert f"nothing was decided at {text_of(5)}. The decision before it (" in said
    assert "Started: run 7f3a." in said


def test_before_the_first_firing_there_is_nothing(bridge: RunningBridge) -> None:
    said = bridge.run("why", "images", "--at", text_of(-5))
    assert said.exit_code == 1
    assert said.stdout == f"classify images: nothing had been decided by {text_of(-5)}.\n"


def test_a_trigger_that_never_fired_has_nothing_to_tell(bridge: RunningBridge) -> None:
    said = bridge.run("why", "quiet")
    assert (said.exit_code, said.stdout) == (1, "quiet: nothing has been decided.\n")


def test_a_run_that_had_to_wait_is_found_at_the_time_of_its_firing(bridge: RunningBridge) -> None:
    assert _messages(bridge, "queueing", "--at", text_of(9)) == ["Started: run aaaa."]
    assert _messages(bridge, "queueing", "--at", text_of(10)) == ["Started: run bbbb."]
    assert _messages(bridge, "queueing", "--at", text_of(12)) == [
        "Merged into run bbbb, which is queued."
    ]
    said = bridge.run("why", "queueing", "--at", text_of(10)).stdout
    assert "Started: run bbbb. (at " in said
    assert "bbbb  its run  completed" in said


def test_every_lock_key_of_a_firing_is_told(bridge: RunningBridge) -> None:
    said = bridge.run("why", "two keys").stdout.splitlines()
    assert said[1:] == ["Started: run site. (key acme/site)", "Started: run blog. (key acme/blog)"]
    assert len(_messages(bridge, "two keys", "--at", text_of(0))) == 2


def test_a_missed_stretch_that_covers_the_time_is_told_first(bridge: RunningBridge) -> None:
    said = bridge.run("why", "was down", "--at", text_of(20)).stdout.splitlines()
    assert said[0].startswith("was down: 3 ticks were missed until ")
    assert said[0].endswith(": the bridge was down.")
    assert "nothing was decided at" in said[1]
    assert _json(bridge, "was down", "--at", text_of(31))["missed"] == []


def test_a_run_in_the_way_that_is_no_longer_kept_is_left_out(bridge: RunningBridge) -> None:
    answer = _json(bridge, "was down")
    assert answer["decisions"][0]["activeExecutions"] == ["gone"]
    assert answer["executions"] == []


def test_a_time_long_past_is_found(bridge: RunningBridge) -> None:
    assert _messages(bridge, "busy", "--at", text_of(0)) == ["Skipped: number 0."]
    assert _messages(bridge, "busy") == [f"Skipped: number {BUSY_FIRINGS - 1}."]


def test_the_json_is_made_of_the_apis_own_objects(bridge: RunningBridge) -> None:
    answer = _json(bridge, "images")
    asked = bridge.ask("GET", "/decisions?triggerId=house.images&limit=1")
    assert answer["decisions"] == asked["decisions"]
    assert answer["executions"] == [bridge.ask("GET", "/executions/7f3a000000000000")]
    assert answer["trigger"]["triggerId"] == "house.images"


def test_a_pause_is_told_too(bridge: RunningBridge) -> None:
    bridge.ask("POST", "/triggers/quiet/pause")
    assert "Now: Paused since " in bridge.run("why", "quiet").stdout
    bridge.ask("POST", "/triggers/quiet/resume")


def test_a_name_of_two_triggers_names_none(bridge: RunningBridge) -> None:
    said = bridge.run("why", "twin")
    assert said.exit_code == 1
    assert said.stderr == "2 triggers fit twin: flow.aa, flow.ba. Name one by its id.\n"
    assert bridge.run("why", "a", "--json").stderr.startswith("2 triggers fit a: ")
    assert _json(bridge, "aa")["trigger"]["triggerId"] == "flow.aa"


def test_a_trigger_that_is_none_is_not_found(bridge: RunningBridge) -> None:
    said = bridge.run("why", "nobody")
    assert said.exit_code == 1
    assert said.stderr == "No trigger is called nobody, and no trigger's id ends so.\n"


@pytest.mark.parametrize("arguments", [("",), (), ("images", "--at", "noon")])
def test_bad_usage_is_told_as_such(bridge: RunningBridge, arguments: tuple[str, ...]) -> None:
    assert bridge.run("why", *arguments).exit_code == 2
