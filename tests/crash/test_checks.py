"""The checks see every kind of violation: a sound history is doctored in one place at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from crash.checks import firings, leaks, owners, runs, ticks, views
from crash.checks.violation import Kind
from crash.closing import PROBE
from crash.history import Claim, Declared, End, History
from crash.judge import CHECKS, judge
from crash.sound import FIRST, at, call, decision, run, sound, stretch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crash.checks.violation import Violation
    from crash.record import Record, Row

    Check = Callable[[History, Record], Iterator[Violation]]


def expect(check: Check, kind: Kind, history: History, record: Record) -> None:
    assert kind in {violation.kind for violation in check(history, record)}


def row_of(record: Record, firing: str) -> Row:
    return next(row for row in record.decisions if row["firing_id"] == firing)


def forget(record: Record, firing: str) -> None:
    record.decisions.remove(row_of(record, firing))


def test_nothing_is_found_in_what_is_sound() -> None:
    history, record = sound()
    assert judge(history, record) == []


# firings


def test_an_answered_firing_that_is_not_on_record() -> None:
    history, record = sound()
    forget(record, "f2")
    expect(firings.answered_firings_keep_their_outcome, Kind.LOST, history, record)


@pytest.mark.parametrize(
    "other", [{"verdict": "skipped"}, {"execution_id": "run9"}, {"reason": "active"}]
)
def test_an_answered_decision_that_became_another_one(other: dict[str, Any]) -> None:
    history, record = sound()
    row_of(record, "f1").update(other)
    expect(firings.answered_firings_keep_their_outcome, Kind.WRONG, history, record)


@pytest.mark.parametrize(
    ("said", "kept"), [("queued", "started"), ("delayed", "merged"), ("merged", "dropped")]
)
def test_a_decision_may_go_on_as_the_rules_allow(said: str, kept: str) -> None:
    history, record = sound()
    history.calls[2].value["decisions"][0]["decision"] = said
    row_of(record, "f1")["verdict"] = kept
    assert list(firings.answered_firings_keep_their_outcome(history, record)) == []


def test_a_firing_that_is_interim_for_ever() -> None:
    history, record = sound()
    row_of(record, "t7")["verdict"] = "buffered"
    expect(firings.every_firing_has_a_final_outcome, Kind.LOST, history, record)


def test_a_firing_whose_run_is_gone() -> None:
    history, record = sound()
    record.executions.pop(0)
    expect(firings.every_firing_has_a_final_outcome, Kind.LOST, history, record)


def test_a_run_whose_decision_says_something_else() -> None:
    history, record = sound()
    row_of(record, "f2")["verdict"] = "dropped"
    expect(firings.every_run_has_its_firing, Kind.WRONG, history, record)


def test_a_firing_with_two_runs() -> None:
    history, record = sound()
    record.executions.append(run("run9", "f2", 9, 5, 6))
    expect(firings.every_run_has_its_firing, Kind.DOUBLED, history, record)


def test_a_name_with_two_answers() -> None:
    history, record = sound()
    again = replace(history.calls[2], value={"decisions": []})
    history.calls.append(again)
    expect(firings.one_name_has_one_answer, Kind.DOUBLED, history, record)


def test_a_name_granted_to_two_requests() -> None:
    history, record = sound()
    history.calls.append(replace(history.calls[2], body={"payload": 1}))
    expect(firings.one_name_has_one_answer, Kind.DOUBLED, history, record)


def test_a_name_that_is_refused_after_it_was_answered() -> None:
    history, record = sound()
    history.calls.append(replace(history.calls[2], status=404, value={}))
    expect(firings.one_name_has_one_answer, Kind.LOST, history, record)


def test_a_firing_that_nobody_asked_for() -> None:
    history, record = sound()
    record.decisions.append(decision("f9", "skipped", "a-cancel", 8))
    expect(firings.no_firing_without_a_request, Kind.DOUBLED, history, record)


def test_an_unanswered_request_may_have_been_decided() -> None:
    history, record = sound()
    record.decisions.append(decision("f9", "skipped", "a-cancel", 8))
    unanswered = replace(history.calls[3], status=None, answered=None, value=None)
    history.calls.append(unanswered)
    assert list(firings.no_firing_without_a_request(history, record)) == []


# ticks


@pytest.mark.parametrize("tick", ["t1", "t2", "t7"])
def test_a_tick_without_a_firing(tick: str) -> None:
    history, record = sound()
    forget(record, tick)
    expect(ticks.every_tick_is_accounted_for, Kind.LOST, history, record)


def test_the_last_ticks_without_a_firing() -> None:
    history, record = sound()
    forget(record, "t9")
    expect(ticks.every_tick_is_accounted_for, Kind.LOST, history, record)


def test_a_tick_that_fired_twice() -> None:
    history, record = sound()
    place = record.decisions.index(row_of(record, "t2"))
    record.decisions.insert(place, decision("t2b", "skipped", "a-skip", 2.02))
    expect(ticks.every_tick_is_accounted_for, Kind.DOUBLED, history, record)


def test_a_tick_that_fired_before_its_instant() -> None:
    history, record = sound()
    row_of(record, "t7")["fired_at"] = at(6.99)
    expect(ticks.every_tick_is_accounted_for, Kind.DOUBLED, history, record)


def test_a_stretch_that_counts_a_tick_which_fired() -> None:
    history, record = sound()
    record.missed_stretches[0].update(first_tick=at(3), ticks=3)
    expect(ticks.every_tick_is_accounted_for, Kind.DOUBLED, history, record)


def test_a_stretch_that_begins_too_late() -> None:
    history, record = sound()
    record.missed_stretches[0].update(first_tick=at(5), ticks=1)
    expect(ticks.every_tick_is_accounted_for, Kind.LOST, history, record)


def test_a_stretch_that_does_not_count_its_ticks() -> None:
    history, record = sound()
    record.missed_stretches[0]["ticks"] = 1
    expect(ticks.every_tick_is_accounted_for, Kind.WRONG, history, record)


def test_a_stretch_that_was_not_caught_up() -> None:
    history, record = sound()
    forget(record, "c")
    expect(ticks.every_tick_is_accounted_for, Kind.LOST, history, record)


def test_ticks_while_the_trigger_was_removed_are_nobodys() -> None:
    history, record = sound()
    for tick in ("t7", "t8"):
        forget(record, tick)
    history.calls.insert(-2, call("DELETE", "/v1/triggers/a-skip", 6.5, None, status=204))
    history.calls.insert(-2, call("PUT", "/v1/triggers/a-skip", 8.5, {}))
    assert list(ticks.every_tick_is_accounted_for(history, record)) == []


@pytest.mark.parametrize("caught_up", [True, False])
def test_what_was_missed_while_the_trigger_was_being_removed_may_be_caught_up(
    caught_up: bool,
) -> None:
    """The bridge was killed with the request to remove it, so either may be."""
    history, record = sound()
    if not caught_up:
        forget(record, "c")
    history.calls.insert(-2, call("DELETE", "/v1/triggers/a-skip", 5.5, None, status=None))
    history.calls.insert(-2, call("PUT", "/v1/triggers/a-skip", 6.5, {}))
    assert list(ticks.every_tick_is_accounted_for(history, record)) == []


@pytest.mark.parametrize(
    ("triggers", "kinds"), [(("b-cancel",), set()), (("b-skip",), {Kind.LOST})]
)
def test_what_waited_for_a_client_is_not_caught_up_if_that_leaves_the_trigger_out(
    triggers: tuple[str, ...], kinds: set[Kind]
) -> None:
    history, record = sound()
    record.decisions = [decision("m", "missed", "b-skip", 2.1)]
    record.missed_stretches = [stretch("b-skip", 1, 2, recorded=2.1)]
    history.declared = [
        Declared("b", ("b-skip",), at(0.1), at(0.2), done=True),
        Declared("b", triggers, at(2.05), at(2.15), done=False),
    ]
    history.calls = [call("DELETE", "/v1/triggers/b-skip", 2.5, None)]
    found = list(ticks.every_tick_is_accounted_for(history, record))
    assert {violation.kind for violation in found} == kinds


@pytest.mark.parametrize(("caught_up", "kinds"), [(1, set()), (0, {Kind.LOST})])
def test_what_is_not_caught_up_does_not_add_to_what_is_missed_next(
    caught_up: int, kinds: set[Kind]
) -> None:
    history, record = sound()
    missed = [decision("m1", "missed", "b-skip", 2.1), decision("m2", "missed", "b-skip", 3.1)]
    record.decisions = missed + [decision("c", "skipped", "b-skip", 3.1)] * caught_up
    record.missed_stretches = [
        stretch("b-skip", 1, 2, recorded=2.1),
        stretch("b-skip", 3, 3, recorded=3.1),
    ]
    history.declared = [
        Declared("b", ("b-skip",), at(0.1), at(0.2), done=True),
        Declared("b", ("b-cancel",), at(2.05), at(2.15), done=True),
        Declared("b", ("b-skip",), at(3.05), at(3.15), done=True),
    ]
    history.calls = [call("DELETE", "/v1/triggers/b-skip", 3.5, None)]
    found = list(ticks.every_tick_is_accounted_for(history, record))
    assert {violation.kind for violation in found} == kinds


@pytest.mark.parametrize(("recorded", "kinds"), [(2.55, set()), (2.1, {Kind.LOST})])
def test_what_is_missed_because_its_trigger_is_removed_is_not_caught_up(
    recorded: float, kinds: set[Kind]
) -> None:
    history, record = sound()
    record.decisions = [decision("m", "missed", "b-skip", recorded)]
    record.missed_stretches = [stretch("b-skip", 1, 2, recorded=recorded)]
    history.declared = [Declared("b", ("b-skip",), at(0.1), at(0.2), done=True)]
    history.calls = [call("DELETE", "/v1/triggers/b-skip", 2.5, 2.6)]
    found = list(ticks.every_tick_is_accounted_for(history, record))
    assert {violation.kind for violation in found} == kinds


# runs


def test_a_run_confirmed_to_two_sessions() -> None:
    history, record = sound()
    history.claims.append(Claim("s2", FIRST, confirmed=True))
    expect(runs.no_run_is_claimed_twice, Kind.DOUBLED, history, record)


def test_a_claim_that_is_repeated_or_refused_is_no_second_one() -> None:
    history, record = sound()
    history.claims += [Claim("s1", FIRST, confirmed=True), Claim("s2", FIRST, confirmed=False)]
    assert list(runs.no_run_is_claimed_twice(history, record)) == []


def test_a_job_granted_twice() -> None:
    history, record = sound()
    history.calls.append(history.calls[4])
    expect(runs.no_job_is_claimed_twice, Kind.DOUBLED, history, record)


def test_a_run_that_ended_twice() -> None:
    history, record = sound()
    history.ends.append(End("s2", "s2:9", FIRST, "completed", ignored=False))
    expect(runs.the_first_end_wins, Kind.DOUBLED, history, record)


def test_an_acknowledged_end_that_is_not_on_record() -> None:
    history, record = sound()
    record.executions[0]["state"] = "interrupted"
    expect(runs.the_first_end_wins, Kind.LOST, history, record)


def test_a_confirmed_claim_that_is_not_on_record() -> None:
    history, record = sound()
    record.executions[1]["started_at"] = None
    expect(runs.confirmed_claims_are_kept, Kind.LOST, history, record)


def test_a_run_that_was_offered_and_is_gone() -> None:
    history, record = sound()
    record.executions.pop(0)
    expect(views.what_was_seen_stays, Kind.LOST, history, record)


@pytest.mark.parametrize("other", [{"fencing_token": 7}, {"state": "failed"}])
def test_a_run_that_was_shown_otherwise(other: dict[str, Any]) -> None:
    history, record = sound()
    record.executions[0].update(other)
    expect(views.what_was_seen_stays, Kind.WRONG, history, record)


def test_a_client_that_was_not_told_of_an_end() -> None:
    history, record = sound()
    history.told.clear()
    expect(runs.clients_know_of_every_end, Kind.LOST, history, record)


def test_a_token_given_twice() -> None:
    history, record = sound()
    record.executions[1]["fencing_token"] = 1
    expect(runs.tokens_only_rise, Kind.DOUBLED, history, record)


def test_a_token_that_fell() -> None:
    history, record = sound()
    record.executions[0]["fencing_token"], record.executions[1]["fencing_token"] = 2, 1
    expect(runs.tokens_only_rise, Kind.WRONG, history, record)


def test_a_workspace_that_forgot_its_token() -> None:
    history, record = sound()
    record.workspaces[0]["fencing_token"] = 2
    expect(runs.tokens_only_rise, Kind.LOST, history, record)


@pytest.mark.parametrize(
    "check",
    [
        runs.scopes_hold_no_more_than_they_may,
        runs.a_lock_key_has_one_holder,
        runs.limits_are_kept,
    ],
)
def test_two_runs_at_a_time(check: Check) -> None:
    history, record = sound()
    record.executions[1]["pending_at"] = at(1.9)
    expect(check, Kind.DOUBLED, history, record)


def test_a_limit_counts_once_it_may_have_been_set() -> None:
    history, record = sound()
    record.executions[1]["pending_at"] = at(1.9)
    raised = call("PUT", "/v1/workspaces/default", 1.5, {}, body={"maxConcurrentExecutions": 2})
    history.calls.insert(4, replace(raised, answered=None, status=None))
    assert list(runs.limits_are_kept(history, record)) == []


# views


def test_a_run_that_was_shown_as_it_had_been_before() -> None:
    history, record = sound()
    before = {**record.seen_executions[0], "state": "running"}
    history.calls.append(call("GET", f"/v1/executions/{FIRST}", 5, before))
    expect(views.no_later_view_is_older, Kind.WRONG, history, record)


def test_a_repeated_request_is_answered_as_it_was() -> None:
    history, record = sound()
    before = {**record.seen_executions[0], "state": "running"}
    history.calls.append(call("POST", f"/v1/executions/{FIRST}/started", 5, before, key="k"))
    assert list(views.no_later_view_is_older(history, record)) == []


# owners


def test_an_epoch_with_two_owners() -> None:
    history, record = sound()
    record.holds[2]["epoch"] = 1
    expect(owners.an_epoch_has_one_owner, Kind.DOUBLED, history, record)


@pytest.mark.parametrize("other", [{"was_over": False}, {"epoch": 1}])
def test_an_owner_that_did_not_wait_for_the_one_before(other: dict[str, Any]) -> None:
    history, record = sound()
    record.holds[2].update(other)
    expect(owners.an_owner_waits_for_the_end_of_the_one_before, Kind.DOUBLED, history, record)


def test_an_owner_that_a_lease_was_kept_for() -> None:
    history, record = sound()
    record.holds[2].update(owner_before="", was_over=False)
    assert list(owners.an_owner_waits_for_the_end_of_the_one_before(history, record)) == []


def test_a_write_without_a_lease() -> None:
    history, record = sound()
    record.writes[0]["transaction"] = "99"
    expect(owners.every_write_is_under_a_lease, Kind.DOUBLED, history, record)


@pytest.mark.parametrize("other", [{"owner": "one"}, {"epoch": 1}])
def test_a_write_of_who_believes_to_be_the_owner(other: dict[str, Any]) -> None:
    history, record = sound()
    record.beliefs[0].update(other)
    expect(owners.who_writes_is_the_owner, Kind.DOUBLED, history, record)


@pytest.mark.parametrize("seen", ["holds", "writes"])
def test_a_write_of_an_owner_that_was_before(seen: str) -> None:
    history, record = sound()
    getattr(record, seen).reverse()
    expect(owners.epochs_only_rise, Kind.DOUBLED, history, record)


def test_a_token_of_another_owner() -> None:
    history, record = sound()
    record.writes[1]["fencing_token"] = 1 << 24
    expect(owners.tokens_tell_the_epoch_of_their_start, Kind.DOUBLED, history, record)


# leaks


@pytest.mark.parametrize("left", [{"state": "pending"}, {"payload": b"secret"}])
def test_a_run_that_is_not_over(left: dict[str, Any]) -> None:
    history, record = sound()
    record.executions[0].update(left)
    expect(leaks.nothing_is_held, Kind.LEAKED, history, record)


def test_a_firing_a_trigger_or_a_job_that_is_left() -> None:
    history, record = sound()
    record.held_firings.append({"firing_id": "f9"})
    record.triggers.append({"trigger_id": "a-skip"})
    record.jobs[0]["ended_as"] = None
    found = list(leaks.nothing_is_held(history, record))
    assert [violation.kind for violation in found] == [Kind.LEAKED] * 3


def test_a_workspace_that_still_counts_a_run() -> None:
    history, record = sound()
    view = {"running": 0, "starting": 1, "onHold": 0, "queued": 0}
    record.seen_workspaces.append(view)
    expect(leaks.nothing_is_held, Kind.LEAKED, history, record)


@pytest.mark.parametrize("verdict", ["onHold", "waiting", "skipped"])
def test_a_new_firing_that_does_not_start(verdict: str) -> None:
    history, record = sound()
    assert history.calls[-1].who == PROBE
    history.calls[-1].value["decisions"][0]["decision"] = verdict
    expect(leaks.new_firings_start, Kind.LEAKED, history, record)


def test_an_api_that_says_something_else_than_the_file() -> None:
    history, record = sound()
    record.seen_executions[1]["state"] = "running"
    record.seen_decisions.pop()
    found = [v.kind for v in leaks.api_and_file_agree(history, record)]
    assert found == [Kind.WRONG] * 2


def test_an_error_in_the_log_or_a_500() -> None:
    history, record = sound()
    history.errors.append("Traceback")
    history.calls.append(call("GET", "/v1/info", 9, {}, status=500))
    found = list(leaks.nothing_went_wrong_inside(history, record))
    assert [violation.kind for violation in found] == [Kind.WRONG] * 2


def test_every_check_is_part_of_the_judgement() -> None:
    checks = {
        check
        for module in (firings, ticks, runs, views, owners, leaks)
        for name, check in vars(module).items()
        if not name.startswith("_")
        and getattr(check, "__annotations__", {}).get("return") == "Iterator[Violation]"
        and check.__module__ == module.__name__
    }
    assert set(CHECKS) == checks
