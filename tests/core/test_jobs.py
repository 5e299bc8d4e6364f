"""Jobs: outstanding until finished or cancelled; who may claim one, and who no longer."""

from collections.abc import Callable

import pytest

from schedule_bridge.core.model import Execution, State
from schedule_bridge.core.refusal import Refusal, Refused

from .house import House
from .picture import picture


def a_run_with_a_job() -> tuple[House, Execution]:
    house = House()
    house.set(maxRunMinutes=1)
    house.fire()
    house.claim("t#1")
    house.add_job("t#1", "j")
    return house, house.execution("t#1")


ENDS: dict[str, Callable[[House], object]] = {
    "completed": lambda house: house.finish("t#1"),
    "failed": lambda house: house.finish("t#1", State.FAILED),
    "expired": lambda house: house.wait(60),
    "interrupted": lambda house: house.interrupt("t#1"),
}


def test_a_worker_claims_a_job_once() -> None:
    house, run = a_run_with_a_job()
    house.job_verb("claim", run, "j")
    with pytest.raises(Refused, match=Refusal.JOB_CLAIMED):
        house.job_verb("claim", run, "j")


def test_a_claimed_job_is_outstanding_until_it_is_finished() -> None:
    house, run = a_run_with_a_job()
    house.job_verb("claim", run, "j")
    assert house.verb("terminate", "t#1") == ["cancelled job j", "cancelled t#1"]


def test_a_finished_job_is_no_longer_cancelled_claimed_or_finished() -> None:
    house, run = a_run_with_a_job()
    house.job_verb("finish", run, "j")
    for verb in ("claim", "finish"):
        with pytest.raises(Refused, match=Refusal.JOB_ENDED):
            house.job_verb(verb, run, "j")
    assert house.verb("terminate", "t#1") == ["cancelled t#1"]


def test_a_job_that_terminate_cancelled_is_not_to_be_had() -> None:
    house, run = a_run_with_a_job()
    house.verb("terminate", "t#1")
    before = picture(house.world)
    for verb in ("claim", "finish"):
        with pytest.raises(Refused, match=Refusal.JOB_ENDED):
            house.job_verb(verb, run, "j")
    assert picture(house.world) == before


def test_after_a_plain_cancel_a_job_can_still_be_claimed_and_finished() -> None:
    house, run = a_run_with_a_job()
    assert house.verb("cancel", "t#1") == ["cancelled t#1"]
    house.job_verb("claim", run, "j")
    house.job_verb("finish", run, "j")
    assert [job.ended_as for job in run.jobs.values()] == ["finished"]


@pytest.mark.parametrize("end", ENDS)
def test_the_jobs_of_a_run_that_ended_otherwise_are_not_to_be_claimed(end: str) -> None:
    house, run = a_run_with_a_job()
    ENDS[end](house)
    assert run.state == end
    with pytest.raises(Refused, match=Refusal.EXECUTION_OVER):
        house.job_verb("claim", run, "j")


@pytest.mark.parametrize("verb", ["claim", "finish"])
def test_a_job_that_is_not_known_is_refused(verb: str) -> None:
    house, run = a_run_with_a_job()
    with pytest.raises(Refused, match=Refusal.UNKNOWN_JOB):
        house.job_verb(verb, run, "nobody")


def test_a_job_is_added_once() -> None:
    house, run = a_run_with_a_job()
    with pytest.raises(Refused, match=Refusal.JOB_EXISTS):
        house.add_job("t#1", "j")
    assert list(run.jobs) == ["j"]


def test_jobs_are_cancelled_in_the_order_of_their_creation() -> None:
    house, _ = a_run_with_a_job()
    house.add_job("t#1", "a")
    assert house.verb("terminate", "t#1") == [
        "cancelled job j",
        "cancelled job a",
        "cancelled t#1",
    ]
