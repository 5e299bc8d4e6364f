"""Questions about the past: which decisions and executions, in which order, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.decisions import Verdict
from schedule_bridge.core.model import ExecutionId, FiringId, State, TriggerId, WorkspaceId
from schedule_bridge.store import Batch, DecisionQuery, ExecutionQuery, PruneLimits

from .samples import (
    counters_of,
    decision,
    decisions,
    execution,
    executions,
    missed_of,
    stretch,
)

if TYPE_CHECKING:
    from schedule_bridge.store import Store


async def verdicts(store: Store) -> dict[str, tuple[str, str | None]]:
    found = await store.decisions(DecisionQuery())
    return {each.firing_id: (each.verdict.value, each.reason) for _, each in found}


async def test_decisions_come_newest_first_in_pages(store: Store) -> None:
    await store.append(decisions(*(decision(f"f{number}") for number in range(5))))
    first = await store.decisions(DecisionQuery(limit=2))
    second = await store.decisions(DecisionQuery(limit=9, before=first[-1][0]))
    assert [each.firing_id for _, each in first] == ["f4", "f3"]
    assert [each.firing_id for _, each in second] == ["f2", "f1", "f0"]


async def test_decisions_are_filtered(store: Store) -> None:
    await store.append(
        decisions(
            decision("a", trigger_id=TriggerId("other")),
            decision("b", workspace_id=WorkspaceId("other")),
            decision("c", decided_at=100),
        )
    )

    async def found(query: DecisionQuery) -> list[str]:
        return [each.firing_id for _, each in await store.decisions(query)]

    assert await found(DecisionQuery(trigger_id="other")) == ["a"]
    assert await found(DecisionQuery(workspace_id="other")) == ["b"]
    assert await found(DecisionQuery(since=100)) == ["c"]
    assert await found(DecisionQuery(trigger_id="nobody")) == []


async def test_the_final_form_of_a_decision_takes_the_place_of_the_interim_one(
    store: Store,
) -> None:
    await store.append(decisions(decision("f1", Verdict.QUEUED), decision("f2")))
    ((number, _),) = await store.decisions(DecisionQuery(limit=1, before=2))
    final = decision("f1", Verdict.STARTED, execution_id=ExecutionId("run"), decided_at=7)
    await store.append(decisions(final))
    assert await store.decisions(DecisionQuery(before=2)) == [(number, final)]


async def test_what_was_merged_is_dropped_with_what_it_joined(store: Store) -> None:
    """A firing that joined a delayed one, which joined a queued one, is found as well."""

    def merged(firing_id: str, into: str) -> Batch:
        return decisions(decision(firing_id, Verdict.MERGED, merged_into=FiringId(into)))

    await store.append(decisions(decision("queued", Verdict.QUEUED)))
    await store.append(merged("delayed", "queued"))
    await store.append(merged("early", "delayed"))
    await store.append(merged("elsewhere", "another"))
    dropped = decision("queued", Verdict.DROPPED, reason="cancelled")
    batch = decisions(dropped)
    batch.dropped_with.append((FiringId("queued"), "cancelled", "Dropped.", 9))
    await store.append(batch)
    assert await verdicts(store) == {
        "queued": ("dropped", "cancelled"),
        "delayed": ("dropped", "cancelled"),
        "early": ("dropped", "cancelled"),
        "elsewhere": ("merged", None),
    }


async def test_a_firing_merged_and_dropped_in_one_batch_is_dropped(store: Store) -> None:
    batch = decisions(decision("late", Verdict.MERGED, merged_into=FiringId("queued")))
    batch.dropped_with.append((FiringId("queued"), "removed", "Dropped.", 9))
    await store.append(batch)
    assert await verdicts(store) == {"late": ("dropped", "removed")}


async def test_decisions_are_counted_by_kind(store: Store) -> None:
    skips = [decision(f"s{n}", Verdict.SKIPPED, reason="active") for n in range(3)]
    other = decision("other", trigger_id=TriggerId("other"))
    await store.append(decisions(*skips, decision("f"), other))
    assert await counters_of(store, TriggerId("t")) == {"skipped.active": 3, "started": 1}


async def test_executions_come_newest_first_in_pages(store: Store) -> None:
    await store.append(executions(*(execution(number) for number in range(1, 6))))
    first = await store.executions(ExecutionQuery(limit=2))
    second = await store.executions(ExecutionQuery(limit=2, before=first[-1].order))
    assert [each.execution_id for each in first + second] == ["run5", "run4", "run3", "run2"]


async def test_executions_are_filtered(store: Store) -> None:
    await store.append(
        executions(
            execution(1, state=State.PENDING),
            execution(2, workflow_id="other"),
            execution(3, trigger_id="other"),
            execution(4, workspace_id="other"),
        )
    )

    async def found(query: ExecutionQuery) -> list[str]:
        return [each.execution_id for each in await store.executions(query)]

    assert await found(ExecutionQuery(state="pending")) == ["run1"]
    assert await found(ExecutionQuery(workflow_id="other")) == ["run2"]
    assert await found(ExecutionQuery(trigger_id="other")) == ["run3"]
    assert await found(ExecutionQuery(workspace_id="other")) == ["run4"]


async def test_an_execution_that_nobody_knows(store: Store) -> None:
    assert await store.execution(ExecutionId("nobody")) is None


async def test_the_latest_missed_stretches_come_first(store: Store) -> None:
    await store.append(Batch(missed=[stretch(number) for number in range(4)]))
    assert await missed_of(store, TriggerId("t"), 2) == [stretch(3), stretch(2)]
    assert await missed_of(store, TriggerId("other"), 2) == []


async def test_when_a_firing_came_is_kept_from_its_first_decision(store: Store) -> None:
    await store.append(decisions(decision("f", Verdict.QUEUED, decided_at=3, fired_at=3)))
    await store.append(decisions(decision("f", Verdict.STARTED, decided_at=9, fired_at=9)))
    ((_, kept),) = await store.decisions(DecisionQuery())
    assert (kept.verdict, kept.decided_at, kept.fired_at) == ("started", 9, 3)


async def test_firings_are_told_from_missed_stretches(store: Store) -> None:
    await store.append(decisions(decision("f"), decision("m", Verdict.MISSED, reason="down")))
    found = await store.decisions(DecisionQuery(firings_only=True))
    assert [each.firing_id for _, each in found] == ["f"]


async def test_the_latest_ended_runs_of_many_triggers_come_with_one_question(store: Store) -> None:
    """Newest first, at most so many each; what never started or still runs is no run to show."""
    ended = {"started_at": 1, "state": State.COMPLETED}
    mine = [execution(number, ended_at=number + 10, **ended) for number in range(4)]
    other = execution(9, trigger_id=TriggerId("u"), ended_at=20, **ended)
    waited = execution(10, ended_at=30, state=State.CANCELLED)
    running = execution(11, started_at=2, state=State.RUNNING)
    await store.append(executions(*mine, other, waited, running))
    wanted = [TriggerId("t"), TriggerId("u"), TriggerId("nobody")]
    pasts = await store.pasts(wanted, runs=3, missed=0)
    found = {trigger_id: past.recent_runs for trigger_id, past in pasts.items()}
    runs = {trigger_id: [run.execution_id for run in runs] for trigger_id, runs in found.items()}
    assert runs == {"t": ["run3", "run2", "run1"], "u": ["run9"], "nobody": []}
    assert (found[TriggerId("u")][0].outcome, found[TriggerId("u")][0].ended_at) == (
        "completed",
        20,
    )


async def test_the_last_decision_of_each_trigger_comes_with_its_past(store: Store) -> None:
    other = decision("other", trigger_id=TriggerId("u"))
    await store.append(decisions(decision("a"), other, decision("b")))
    wanted = [TriggerId("t"), TriggerId("u"), TriggerId("nobody")]
    pasts = await store.pasts(wanted, runs=0, missed=0)
    last = {
        name: past.last_decision and past.last_decision.firing_id for name, past in pasts.items()
    }
    assert last == {"t": "b", "u": "other", "nobody": None}


async def test_counts_follow_what_becomes_of_a_decision(store: Store) -> None:
    await store.append(decisions(decision("f", Verdict.QUEUED), decision("g", Verdict.QUEUED)))
    assert await counters_of(store, TriggerId("t")) == {"queued": 2}
    await store.append(decisions(decision("f"), decision("g", Verdict.DROPPED, reason="removed")))
    assert await counters_of(store, TriggerId("t")) == {"started": 1, "dropped.removed": 1}
    while await store.prune(PruneLimits(before=0, keep=1, keys_before=0)):
        pass
    assert await counters_of(store, TriggerId("t")) == {"dropped.removed": 1}
