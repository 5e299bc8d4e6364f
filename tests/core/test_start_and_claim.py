"""R17: a start is pending with a fencing token; the claim makes it running."""

import pytest

from schedule_bridge.core.model import MINUTE, SECOND, Reason, State
from schedule_bridge.core.refusal import Refusal, Refused

from .house import House
from .picture import picture


def a_pending_run() -> House:
    house = House()
    house.set(maxRunMinutes=1)
    house.fire()
    house.wait(5)
    return house


def test_a_start_is_pending_since_its_decision_and_has_no_deadline() -> None:
    run = a_pending_run().execution("t#1")
    assert (run.state, run.pending_at, run.started_at) == (State.PENDING, 0, None)
    assert run.deadline is None


def test_a_claim_makes_it_running_and_sets_its_deadline() -> None:
    house = a_pending_run()
    house.claim("t#1")
    run = house.execution("t#1")
    assert (run.state, run.started_at, run.session_id) == (State.RUNNING, 5 * SECOND, "s")
    assert run.deadline == 5 * SECOND + MINUTE


def test_a_claim_repeated_by_its_session_is_confirmed_and_changes_nothing() -> None:
    house = a_pending_run()
    house.claim("t#1")
    house.wait(5)
    before = picture(house.world)
    house.claim("t#1")
    assert house.events == []
    assert picture(house.world) == before


@pytest.mark.parametrize("session", ["another", None])
def test_any_other_claim_of_a_claimed_run_is_refused(session: str | None) -> None:
    house = a_pending_run()
    house.claim("t#1")
    with pytest.raises(Refused, match=Refusal.NOT_PENDING):
        house.claim("t#1", session)


def test_a_claim_without_a_session_cannot_be_repeated() -> None:
    house = a_pending_run()
    house.claim("t#1", None)
    with pytest.raises(Refused, match=Refusal.NOT_PENDING):
        house.claim("t#1", None)


def test_an_end_reported_of_a_pending_run_implies_the_claim() -> None:
    house = a_pending_run()
    run = house.execution("t#1")
    assert house.finish("t#1") == ["completed t#1"]
    assert (run.started_at, run.ended_at) == (5 * SECOND, 5 * SECOND)


@pytest.mark.parametrize(("said", "kept"), [(3, 5), (7, 7), (99, 9)])
def test_an_end_told_late_lies_between_the_claim_and_now(said: int, kept: int) -> None:
    house = a_pending_run()
    house.claim("t#1")
    run = house.execution("t#1")
    house.wait(4)
    house.machine.finish(
        run.execution_id, State.FAILED, house.now, error="why", ended_at=said * SECOND
    )
    assert (run.ended_at, run.error) == (kept * SECOND, "why")


def test_fencing_tokens_rise_by_the_order_of_starts_within_the_workspace() -> None:
    house = House(limit=1)
    house.set("a")
    house.set("b")
    house.set("other", workspaceId="other")
    for name in ("a", "b", "other"):
        house.fire(name)
    first, held = house.execution("a#1"), house.execution("b#1")
    assert (first.fencing_token, held.fencing_token) == (1, None)
    house.finish("a#1")
    assert held.fencing_token == 2
    assert house.execution("other#1").fencing_token == 1


def test_an_unclaimed_run_is_interrupted_and_frees_what_it_held() -> None:
    house = a_pending_run()
    house.set("other", lockKey="k")
    house.fire(key="k")
    house.fire("other")
    assert house.interrupt("t#2", Reason.UNCLAIMED) == ["interrupted t#2", "started other#1"]


def test_the_firing_names_the_instant_the_source_and_the_key_of_the_run() -> None:
    house = House()
    house.set(clientId="node-red", workflowId="w", workspaceId="ws", lockKey="k", payload=[1])
    house.wait(2)
    house.fire(idempotency="once", priority=9)
    run = house.execution("t#1")
    assert (run.scheduled_at, run.created_at, run.source) == (2 * SECOND, 2 * SECOND, "manual")
    assert (run.client_id, run.firing_key, run.priority) == ("node-red", "once", 9)
    assert (run.workspace_id, run.scope, run.payload) == ("ws", ("w", "k"), [1])
