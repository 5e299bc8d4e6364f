"""Anything that may have to last."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from schedule_bridge.core.decisions import Decision, Verdict
from schedule_bridge.core.model import DelayedFiring, Execution, Firing, Source, State
from schedule_bridge.store import IdempotentAnswer, MissedStretch, TriggerRecord
from schedule_bridge.store.payloads import pack_value

BIG = 2**62

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
ids = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=12)
instants = st.integers(0, BIG)
counts = st.integers(0, BIG)
moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001 - the zone comes last

payloads = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
    | st.binary(max_size=20)
    | moments,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)

active_executions = st.builds(
    Execution,
    execution_id=ids,
    trigger_id=ids,
    workflow_id=ids,
    workspace_id=ids,
    client_id=st.none() | ids,
    lock_key=texts,
    firing_id=ids,
    firing_key=st.none() | texts,
    source=st.sampled_from(Source),
    priority=st.integers(1, 100),
    payload=payloads,
    scheduled_at=instants,
    created_at=instants,
    order=counts,
    state=st.sampled_from([state for state in State if not state.terminal]),
    reason=st.none() | texts,
    error=st.none() | texts,
    merged_firings=counts,
    hold_order=counts,
    fencing_token=st.none() | counts,
    pending_at=st.none() | instants,
    started_at=st.none() | instants,
    session_id=st.none() | ids,
    deadline=st.none() | instants,
    paused_at=st.none() | instants,
    ended_at=st.none(),
    run_limit=st.none() | counts,
    halted=st.booleans(),
    jobs=st.just({}),
    timer=st.none(),
)

firings = st.builds(
    Firing,
    firing_id=ids,
    trigger_id=ids,
    lock_key=texts,
    payload=payloads,
    scheduled_at=instants,
    priority=st.integers(1, 100),
    source=st.sampled_from(Source),
    key=st.none() | texts,
    merged_firings=counts,
)

delayed_firings = st.builds(
    DelayedFiring, firing=firings, ready_at=instants, order=counts, timer=st.none()
)

trigger_records = st.builds(
    TriggerRecord,
    trigger_id=ids,
    workspace_id=ids,
    client_id=st.none() | ids,
    configuration=st.dictionaries(texts, payloads, max_size=4).map(pack_value),
    paused_since=st.none() | instants,
    detached_since=st.none() | instants,
    anchor=instants,
    next_tick=st.none() | instants,
    zone_data=st.none() | texts,
)

decisions = st.builds(
    Decision,
    firing_id=ids,
    verdict=st.sampled_from(Verdict),
    reason=st.none() | texts,
    message=texts,
    trigger_id=ids,
    workflow_id=ids,
    workspace_id=ids,
    lock_key=texts,
    execution_id=st.none() | ids,
    decided_at=instants,
    fired_at=instants,
    in_the_way=st.lists(ids, max_size=3).map(tuple),
    merged_into=st.none() | ids,
)

stretches = st.builds(
    MissedStretch,
    trigger_id=ids,
    workspace_id=ids,
    first_tick=instants,
    last_tick=instants,
    ticks=counts,
    reason=st.sampled_from(["late", "down", "store", "client", "detached"]),
    recorded_at=instants,
)

answers = st.builds(
    IdempotentAnswer,
    workspace_id=ids,
    key=texts,
    fingerprint=st.binary(max_size=32),
    answer=st.binary(max_size=32),
    answered_at=instants,
)
