"""`pause`, `resume`, `cancel`, `terminate`: what an operator does to triggers and runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from schedule_bridge.cli.when import local_time, now

from .operator_bridge import RunningBridge, running_bridge

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def bridge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBridge]:
    with running_bridge(tmp_path_factory.mktemp("bridge")) as it:
        it.declare("flow.a1", name="images", schedule={"kind": "interval", "every": 3600})
        it.declare("many", overlapPolicy="allow", maxConcurrent=1000)
        yield it


def test_a_paused_trigger_skips_until_it_is_resumed(bridge: RunningBridge) -> None:
    paused = bridge.run("pause", "images")
    state = bridge.ask("GET", "/triggers/flow.a1")
    since = local_time(state["pausedSince"], now())
    assert (paused.exit_code, paused.stdout) == (0, f"images: Paused since {since}.\n")
    assert bridge.fire("flow.a1")[0]["reason"] == "paused"

    resumed = bridge.run("resume", "a1")
    next_run = local_time(bridge.ask("GET", "/triggers/flow.a1")["nextRun"], now())
    assert (resumed.exit_code, resumed.stdout) == (0, f"images: Resumed. Next run {next_run}.\n")
    assert bridge.fire("flow.a1")[0]["decision"] == "started"


def test_the_json_of_a_pause_is_the_triggers_state(bridge: RunningBridge) -> None:
    said = json.loads(bridge.run("pause", "many", "--json").stdout)
    assert said == bridge.ask("GET", "/triggers/many")
    said = json.loads(bridge.run("resume", "many", "--json").stdout)
    assert said == bridge.ask("GET", "/triggers/many")


@pytest.mark.parametrize("length", [4, 16])
@pytest.mark.parametrize(("verb", "word"), [("cancel", "Cancelled"), ("terminate", "Terminated")])
def test_a_run_is_ended_by_its_id_or_the_beginning_of_it(
    bridge: RunningBridge, verb: str, word: str, length: int
) -> None:
    run = bridge.start("many")
    said = bridge.run(verb, run[:length])
    assert said.exit_code == 0
    assert said.stdout.startswith(f"{word}: run {run[:4]}.")
    assert bridge.ask("GET", f"/executions/{run}")["state"] == "cancelled"


@pytest.mark.parametrize(("verb", "status"), [("cancel", 200), ("terminate", 409)])
def test_cancel_leaves_jobs_to_their_workers_and_terminate_does_not(
    bridge: RunningBridge, verb: str, status: int
) -> None:
    run = bridge.start("many")
    bridge.ask("POST", f"/executions/{run}/jobs", {"jobId": "job"})
    assert bridge.run(verb, run).exit_code == 0
    assert bridge.exchange("POST", f"/executions/{run}/jobs/job/claim")[0] == status


def test_the_json_of_an_end_is_the_execution(bridge: RunningBridge) -> None:
    run = bridge.start("many")
    said = json.loads(bridge.run("cancel", run, "--json").stdout)
    assert said == bridge.ask("GET", f"/executions/{run}")


def test_a_run_that_has_ended_is_refused(bridge: RunningBridge) -> None:
    run = bridge.start("many")
    bridge.run("cancel", run)
    said = bridge.run("cancel", run)
    assert (said.exit_code, said.stderr) == (1, "The execution has ended.\n")
    said = bridge.run("cancel", run[:8])
    assert (said.exit_code, said.stderr) == (1, f"No active run's id begins with {run[:8]}.\n")


def test_a_beginning_of_several_runs_ends_none(bridge: RunningBridge) -> None:
    runs = {bridge.start("many") for _ in range(17)}  # of 16 first characters one comes twice
    first = next(f"{digit:x}" for digit in range(16) if sum(r[0] == f"{digit:x}" for r in runs) > 1)
    said = bridge.run("terminate", first)
    assert said.exit_code == 1
    assert f" active runs fit {first}: " in said.stderr
    assert runs <= set(bridge.ask("GET", "/triggers/many")["active"])


@pytest.mark.parametrize("verb", ["pause", "resume", "cancel", "terminate"])
def test_what_names_nothing_is_refused(bridge: RunningBridge, verb: str) -> None:
    assert bridge.run(verb, "nothing").exit_code == 1
    assert bridge.run(verb, "").exit_code == 2
    assert bridge.run(verb).exit_code == 2
