"""R3 to R9, R13: the policy and how the scope stands give the plan, in one table."""

from collections.abc import Callable

import pytest

from schedule_bridge.core import gates, policies
from schedule_bridge.core.model import (
    NO_KEY,
    Firing,
    FiringId,
    OverlapPolicy,
    Source,
    State,
    TriggerId,
)
from schedule_bridge.core.policies import (
    DROP,
    HOLD,
    PROCEED,
    QUEUE,
    REPLACE,
    REPLACE_WITH_JOBS,
    SKIP_ACTIVE,
    SKIP_MAX_CONCURRENT,
    Merge,
    Plan,
    Release,
    plan,
)
from schedule_bridge.core.workspace import Standing

from .house import House

MERGE = "merge"
RELEASE = "release"

# the scope stands: idle, one run active, one active and one queued, two of two active
TABLE: dict[str, tuple[Plan | str, ...]] = {
    "skip": (PROCEED, SKIP_ACTIVE, SKIP_ACTIVE, SKIP_ACTIVE),
    "queue": (PROCEED, QUEUE, MERGE, QUEUE),
    "allow": (PROCEED, PROCEED, MERGE, SKIP_MAX_CONCURRENT),
    "buffer": (PROCEED, HOLD, HOLD, HOLD),
    "cancel": (PROCEED, REPLACE, REPLACE, REPLACE),
    "terminate": (PROCEED, REPLACE_WITH_JOBS, REPLACE_WITH_JOBS, REPLACE_WITH_JOBS),
}
WITH_A_HELD_FIRING: dict[str, tuple[Plan | str, ...]] = {
    **{policy: (RELEASE, *plans[1:]) for policy, plans in TABLE.items()},
    "buffer": (RELEASE, DROP, DROP, DROP),
}


def standings() -> tuple[Standing, ...]:
    """The four ways in which a scope stands."""
    house = House()
    house.set(overlapPolicy="allow", maxConcurrent=9)
    for _ in range(2):
        house.fire()
    runs = dict(house.world.executions)
    first, second = runs.values()
    return (
        Standing(),
        Standing({first.execution_id: first}),
        Standing(runs, queued=second),
        Standing(runs),
    )


HELD = Firing(FiringId("held"), TriggerId("t"), NO_KEY, None, 0, 5, Source.MANUAL)


@pytest.mark.parametrize("held", [False, True], ids=["slot empty", "slot taken"])
@pytest.mark.parametrize("stands", range(4), ids=["idle", "active", "queued", "full"])
@pytest.mark.parametrize("policy", TABLE)
def test_the_policy_and_the_situation_give_the_plan(
    policy: str, stands: int, *, held: bool
) -> None:
    standing, slot = standings()[stands], HELD if held else None
    expected = (WITH_A_HELD_FIRING if held else TABLE)[policy][stands]
    if expected is RELEASE:
        expected = Release(HELD)
    if expected is MERGE and standing.queued:
        expected = Merge(standing.queued)
    assert plan(OverlapPolicy(policy), standing, slot, 2) == expected


@pytest.mark.parametrize("policy", TABLE)
@pytest.mark.parametrize("state", ["onHold", "pending", "running", "paused"])
def test_whatever_is_not_terminal_is_active(policy: str, state: str) -> None:
    house = House(limit=1 if state == "onHold" else 0)
    house.set("elsewhere")
    if state == "onHold":
        house.fire("elsewhere")
    house.set(overlapPolicy=policy)
    house.fire()
    if state in ("running", "paused"):
        house.claim("t#1")
    if state == "paused":
        house.verb("pause", "t#1")
    assert house.states()["t#1"] == state
    assert "started t#2" not in house.fire()[:1]


@pytest.mark.parametrize("policy", TABLE)
@pytest.mark.parametrize("end", ["completed", "failed", "cancelled", "expired", "interrupted"])
def test_whatever_is_terminal_is_in_nobodys_way(policy: str, end: str) -> None:
    house = House()
    house.set(overlapPolicy=policy)
    house.fire()
    house.claim("t#1")
    house.machine._end(house.execution("t#1"), State(end), house.now, [], None)
    assert house.fire() == ["started t#2"]


def test_overlap_is_judged_within_the_workflow_whichever_trigger_started_it() -> None:
    house = House()
    house.set(workflowId="w")
    house.set("other", workflowId="w")
    house.fire()
    assert house.fire("other") == ["skipped other active"]


@pytest.mark.parametrize(
    "elsewhere", [{"workflowId": "v"}, {"workflowId": "w", "workspaceId": "other"}]
)
def test_other_workflows_and_workspaces_are_ignored(elsewhere: dict[str, str]) -> None:
    house = House()
    house.set(workflowId="w")
    house.set("other", **elsewhere)
    house.fire()
    assert house.fire("other") == ["started other#1"]


def test_other_lock_keys_of_the_workflow_are_ignored() -> None:
    house = House()
    house.set()
    assert house.fire(key="a") == ["started t#1"]
    assert house.fire(key="b") == ["started t#2"]
    assert house.fire() == ["started t#3"]
    assert house.fire(key="c") == ["started t#4"]


def test_cancel_ends_every_active_run_of_the_scope_oldest_first_then_proceeds() -> None:
    house = House()
    house.set(overlapPolicy="allow", maxConcurrent=2)
    house.set("queuing", overlapPolicy="queue", workflowId="t")
    house.set("newest", overlapPolicy="cancel", workflowId="t")
    for name in ("t", "t", "queuing"):
        house.fire(name)
    assert house.fire("newest") == [
        "cancelled t#1",
        "cancelled t#2",
        "cancelled queuing#1",
        "started newest#1",
    ]


def test_cancel_leaves_jobs_to_their_workers() -> None:
    house = House()
    house.set(overlapPolicy="cancel")
    house.fire()
    house.add_job("t#1", "j")
    assert house.fire() == ["cancelled t#1", "started t#2"]


def test_terminate_cancels_all_outstanding_jobs_first() -> None:
    house = House()
    house.set(overlapPolicy="allow", maxConcurrent=2)
    house.fire()
    house.fire()
    for run, job in (("t#2", "a"), ("t#1", "b"), ("t#1", "c"), ("t#1", "done")):
        house.add_job(run, job)
    house.job_verb("finish", house.execution("t#1"), "done")
    house.set(overlapPolicy="terminate")
    assert house.fire() == [
        "cancelled job b",
        "cancelled job c",
        "cancelled job a",
        "cancelled t#1",
        "cancelled t#2",
        "started t#3",
    ]


@pytest.mark.parametrize(("policy", "halted"), [("cancel", False), ("terminate", True)])
def test_only_terminate_halts(policy: str, *, halted: bool) -> None:
    house = House()
    house.set(overlapPolicy=policy)
    house.fire()
    ended = house.execution("t#1")
    house.fire()
    assert ended.halted is halted


def test_a_refused_firing_creates_nothing() -> None:
    house = House()
    house.set(overlapPolicy="allow", maxConcurrent=2)
    house.fire()
    house.fire()
    assert house.fire() == ["skipped t maxConcurrent"]
    assert house.states() == {"t#1": "pending", "t#2": "pending"}


def test_max_concurrent_counts_what_other_triggers_started_too() -> None:
    house = House()
    house.set("other", workflowId="t")
    house.set(overlapPolicy="allow", maxConcurrent=2)
    house.fire("other")
    assert house.fire() == ["started t#1"]
    assert house.fire() == ["skipped t maxConcurrent"]


def test_a_decision_names_the_oldest_runs_in_the_way() -> None:
    house = House()
    house.set(overlapPolicy="allow", maxConcurrent=25)
    for _ in range(25):
        house.fire()
    house.fire()
    (skipped,) = house.events
    named = [run.execution_id for run in getattr(skipped, "in_the_way", ())]
    assert named == [f"t#{number}" for number in range(1, 21)]


def test_a_plan_that_no_gate_knows_stops_the_firing(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    house.set()
    monkeypatch.setattr(policies, "plan", lambda *_: "something new")
    with pytest.raises(AssertionError):
        gates.overlap(a_passage(house))


@pytest.mark.parametrize("gate", [gates.lock, gates.capacity, gates.start])
def test_no_gate_after_overlap_lets_a_firing_without_an_execution_through(
    gate: Callable[[gates.Passage], object],
) -> None:
    house = House()
    house.set()
    with pytest.raises(AssertionError):
        gate(a_passage(house))


def a_passage(house: House) -> gates.Passage:
    """A firing of `t` that has not met the overlap gate."""
    trigger = house.trigger()
    firing = Firing(FiringId("f"), trigger.trigger_id, NO_KEY, None, 0, 5, Source.MANUAL)
    workspace = house.world.workspace(trigger.config.workspace_id)
    return gates.Passage(house.world, workspace, trigger, firing, house.now, [])
