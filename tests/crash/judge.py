"""All checks over what the clients saw and what is on record. Nothing here asks a bridge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crash.checks import firings, leaks, owners, runs, ticks, views

if TYPE_CHECKING:
    from crash.checks.violation import Violation
    from crash.history import History
    from crash.record import Record

CHECKS = (
    firings.answered_firings_keep_their_outcome,
    firings.every_firing_has_a_final_outcome,
    firings.every_run_has_its_firing,
    firings.one_name_has_one_answer,
    firings.no_firing_without_a_request,
    ticks.every_tick_is_accounted_for,
    runs.no_run_is_claimed_twice,
    runs.no_job_is_claimed_twice,
    runs.the_first_end_wins,
    runs.confirmed_claims_are_kept,
    views.what_was_seen_stays,
    views.no_later_view_is_older,
    runs.clients_know_of_every_end,
    runs.tokens_only_rise,
    runs.scopes_hold_no_more_than_they_may,
    runs.a_lock_key_has_one_holder,
    runs.limits_are_kept,
    owners.an_epoch_has_one_owner,
    owners.an_owner_waits_for_the_end_of_the_one_before,
    owners.every_write_is_under_a_lease,
    owners.who_writes_is_the_owner,
    owners.epochs_only_rise,
    owners.tokens_tell_the_epoch_of_their_start,
    leaks.nothing_is_held,
    leaks.new_firings_start,
    leaks.api_and_file_agree,
    leaks.nothing_went_wrong_inside,
)


def judge(history: History, record: Record) -> list[Violation]:
    """Everything that is broken of what is promised."""
    return [violation for check in CHECKS for violation in check(history, record)]
