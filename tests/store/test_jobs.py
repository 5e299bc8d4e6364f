"""Jobs are kept as long as their execution, active or ended, in the order of their creation."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from schedule_bridge.core.model import ExecutionId, Job, JobId
from schedule_bridge.store import Batch, PruneLimits
from schedule_bridge.store.rows import job_row

from .open_stores import MakeStore, after_reopening, opened
from .samples import execution, executions
from .strategies import counts, ids, texts

if TYPE_CHECKING:
    from schedule_bridge.core.model import Execution
    from schedule_bridge.store import Store

RUN = ExecutionId("run1")

kept_jobs = st.lists(
    st.builds(
        Job,
        job_id=ids,
        execution_id=st.just(RUN),
        order=counts,
        name=texts,
        claimed=st.booleans(),
        ended_as=st.sampled_from([None, "finished", "cancelled"]),
    ),
    max_size=4,
    unique_by=(lambda job: job.job_id, lambda job: job.order),
)


def job(job_id: str, order: int = 1, of: ExecutionId = RUN, *, claimed: bool = False) -> Job:
    return Job(JobId(job_id), of, order, claimed=claimed)


def with_jobs(batch: Batch, *jobs: Job) -> Batch:
    batch.jobs.update({(each.execution_id, each.job_id): job_row(each) for each in jobs})
    return batch


async def jobs_of(store: Store, number: int = 1) -> list[str]:
    found = await store.execution(ExecutionId(f"run{number}"))
    return [] if found is None else list(found.jobs)


def by_creation(jobs: list[Job]) -> list[Job]:
    return sorted(jobs, key=lambda each: each.order)


@settings(max_examples=25, deadline=None)
@given(kept=kept_jobs)
async def test_jobs_come_back_with_an_active_execution(
    make_store: MakeStore, kept: list[Job]
) -> None:
    with TemporaryDirectory() as folder:
        batch = with_jobs(executions(execution(1)), *kept)
        snapshot = await after_reopening(make_store, Path(folder), batch)
    (loaded,) = snapshot.executions
    assert list(loaded.jobs.items()) == [(each.job_id, each) for each in by_creation(kept)]
    assert snapshot.order == max([1, *(each.order for each in kept)])


@settings(max_examples=25, deadline=None)
@given(kept=kept_jobs)
async def test_jobs_come_back_with_an_ended_execution(
    make_store: MakeStore, kept: list[Job]
) -> None:
    with TemporaryDirectory() as folder:
        batch = with_jobs(executions(execution(1, ended_at=5)), *kept)
        await after_reopening(make_store, Path(folder), batch)
        async with opened(make_store, Path(folder)) as store:
            loaded = await store.execution(RUN)
    assert loaded is not None
    assert list(loaded.jobs.values()) == by_creation(kept)


async def test_a_later_batch_replaces_a_job(store: Store) -> None:
    await store.append(with_jobs(executions(execution(1)), job("j")))
    await store.append(with_jobs(Batch(), job("j", claimed=True)))
    found = await store.execution(RUN)
    assert found is not None
    assert found.jobs == {"j": job("j", claimed=True)}


async def test_a_change_of_the_execution_leaves_its_jobs(store: Store) -> None:
    await store.append(with_jobs(executions(execution(1)), job("j")))
    await store.append(executions(execution(1, ended_at=5)))
    assert await jobs_of(store) == ["j"]


async def test_one_job_id_in_two_executions(store: Store) -> None:
    other = ExecutionId("run2")
    batch = executions(execution(1), execution(2))
    await store.append(with_jobs(batch, job("j", 3), job("j", 4, other, claimed=True)))
    claimed = [
        each.jobs[JobId("j")].claimed for each in sorted_by_id((await store.load()).executions)
    ]
    assert claimed == [False, True]


async def test_a_batch_of_jobs_alone_is_not_empty() -> None:
    assert not with_jobs(Batch(), job("j")).empty


async def test_jobs_go_with_their_execution(store: Store) -> None:
    batch = executions(execution(1, ended_at=5), execution(2, ended_at=50), execution(3))
    others = (job("b", 5, ExecutionId("run2")), job("c", 6, ExecutionId("run3")))
    await store.append(with_jobs(batch, job("a", 4), *others))
    limits = PruneLimits(before=10, keep=1_000_000, keys_before=0)
    while await store.prune(limits):
        pass
    assert [await jobs_of(store, number) for number in (1, 2, 3)] == [[], ["b"], ["c"]]
    await store.append(executions(execution(1)))
    assert await jobs_of(store) == []


def sorted_by_id(found: list[Execution]) -> list[Execution]:
    return sorted(found, key=lambda each: each.execution_id)
