"""R14: a new configuration governs every later decision; what is held or active stays."""

from schedule_bridge.core.events import FiringDropped, TriggerRemoved
from schedule_bridge.core.model import MINUTE, Reason, State

from .house import House


def test_the_new_policy_governs_the_next_firing() -> None:
    house = House()
    house.set()
    house.fire()
    house.set(overlapPolicy="queue")
    assert house.fire() == ["queued t#2"]


def test_a_delayed_firing_meets_the_new_policy_with_its_own_payload_and_priority() -> None:
    house = House()
    house.set(delaySeconds=5, payload=1, priority=3)
    house.fire()
    house.set(overlapPolicy="cancel", payload=2, priority=8)
    house.fire()
    assert house.wait(5) == ["cancelled t#1", "started t#2"]
    assert (house.execution("t#2").payload, house.execution("t#2").priority) == (1, 3)


def test_a_queued_execution_keeps_payload_and_priority_and_gets_the_new_deadline() -> None:
    house = House()
    house.set(overlapPolicy="queue", payload=1, priority=3, maxRunMinutes=10)
    house.fire()
    house.fire()
    house.set(payload=2, priority=8, maxRunMinutes=1)
    house.finish("t#1")
    house.claim("t#2")
    queued = house.execution("t#2")
    assert (queued.payload, queued.priority, queued.deadline) == (1, 3, 1 * MINUTE)


def test_a_running_execution_keeps_its_deadline() -> None:
    house = House()
    house.set(maxRunMinutes=10)
    house.fire()
    house.claim("t#1")
    house.set(maxRunMinutes=1)
    assert house.execution("t#1").deadline == 10 * MINUTE


def test_an_execution_keeps_its_scope_when_its_trigger_moves() -> None:
    house = House()
    house.set(overlapPolicy="queue")
    house.fire()
    house.fire()
    house.set(overlapPolicy="queue", workflowId="w", workspaceId="other")
    assert house.fire() == ["started t#3"]
    assert house.finish("t#1") == ["completed t#1", "started t#2"]
    assert house.execution("t#2").workspace_id == "default"


def test_what_was_not_yet_claimed_goes_to_the_triggers_new_client() -> None:
    house = House()
    house.set(overlapPolicy="allow", maxConcurrent=2, clientId="old")
    house.fire()
    house.fire()
    house.claim("t#1")
    house.set(clientId="new")
    assert house.execution("t#1").client_id == "old"
    assert house.execution("t#2").client_id == "new"


def test_removing_drops_what_is_held_delayed_first() -> None:
    house = House()
    house.set(overlapPolicy="buffer")
    house.fire()
    house.fire(payload="buffered")
    house.set(delaySeconds=5)
    house.fire(key="b")
    house.fire(key="a")
    assert house.trigger_verb("remove") == ["dropped t removed"] * 3
    dropped = [event.firing for event in house.events if isinstance(event, FiringDropped)]
    assert [firing.lock_key for firing in dropped] == ["b", "a", ""]
    assert house.wait(60) == []


def test_removing_cancels_what_waits_oldest_first_and_settles_once() -> None:
    house = House(limit=1)
    house.set(overlapPolicy="queue")
    house.set("other", overlapPolicy="queue")
    house.fire(key="a")
    house.fire(key="b")
    house.fire("other", key="b")
    house.fire(key="a")
    assert house.trigger_verb("remove") == [
        "cancelled t#2",
        "cancelled t#3",
        "onHold other#1",
    ]
    ended = [event for event in house.events if isinstance(event, TriggerRemoved)]
    assert len(ended) == 1


def test_removing_says_why_the_waiting_runs_ended() -> None:
    house = House()
    house.set(overlapPolicy="queue")
    house.fire()
    house.fire()
    waiting = house.execution("t#2")
    house.trigger_verb("remove")
    assert (waiting.state, waiting.reason) == (State.CANCELLED, Reason.REMOVED)


def test_started_runs_of_a_removed_trigger_run_on_under_their_deadline() -> None:
    house = House()
    house.set(maxRunMinutes=1)
    house.fire()
    house.claim("t#1")
    house.trigger_verb("remove")
    assert house.wait(60) == ["expired t#1"]


def test_a_pending_run_of_a_removed_trigger_gets_the_deadline_that_it_would_have_had() -> None:
    house = House()
    house.set(maxRunMinutes=1)
    house.fire()
    house.trigger_verb("remove")
    house.claim("t#1")
    assert house.wait(60) == ["expired t#1"]


def test_removing_settles_every_workspace_in_which_something_waited() -> None:
    house = House()
    house.limit(1, "a")
    house.limit(1, "b")
    for workspace in ("a", "b"):
        house.set("other", workspaceId=workspace, overlapPolicy="allow", maxConcurrent=9)
        house.fire("other")
        house.set(workspaceId=workspace, overlapPolicy="allow")
        house.fire(key="k")
        house.set("behind", workspaceId=workspace)
        house.fire("behind", key="k")
    assert house.trigger_verb("remove") == [
        "cancelled t#1",
        "cancelled t#2",
        "onHold behind#1",
        "onHold behind#2",
    ]


def test_a_trigger_removed_and_declared_again_starts_afresh() -> None:
    house = House()
    house.set(overlapPolicy="buffer", paused=True)
    house.trigger_verb("remove")
    house.set(overlapPolicy="buffer")
    assert house.fire() == ["started t#1"]
