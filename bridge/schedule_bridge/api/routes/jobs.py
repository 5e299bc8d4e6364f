"""Jobs: added to an execution, claimed by a worker, finished."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from schedule_bridge.api.context import Bridge, telling_problems
from schedule_bridge.api.naming import path_id, request_name
from schedule_bridge.api.negotiation import answer, read_body
from schedule_bridge.api.refusals import (
    JobRefused,
    KeyReused,
    NotInState,
    StoreUnavailable,
    UnknownExecution,
    UnknownJob,
)
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.api.views import Json, job_view
from schedule_bridge.core.model import ExecutionId, JobId
from schedule_bridge.engine.jobs import Jobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import web
    from aiohttp.typedefs import Handler

    from schedule_bridge.core.model import Instant, Job
    from schedule_bridge.engine import House

_ID_BYTES = 8


class _Jobs:
    def __init__(self, bridge: Bridge) -> None:
        self._estate = bridge.estate

    async def add(self, request: web.Request) -> web.Response:
        body = await read_body(request, "job", optional=True)
        job_id = JobId(body.get("jobId") or secrets.token_hex(_ID_BYTES))

        def add(house: House, now: Instant) -> Job:
            return house.jobs.add(_execution_id(request), job_id, body.get("name") or "", now)

        return await self._decided(request, body, add, status=201)

    def verb(self, method: Callable[[Jobs, ExecutionId, JobId, Instant], Job]) -> Handler:
        async def handle(request: web.Request) -> web.Response:
            job_id = JobId(path_id(request, "jobId"))

            def act(house: House, now: Instant) -> Job:
                return method(house.jobs, _execution_id(request), job_id, now)

            return await self._decided(request, {}, act)

        return handle

    async def _decided(
        self,
        request: web.Request,
        body: dict[str, Any],
        decide: Callable[[House, Instant], Job],
        *,
        status: int = 200,
    ) -> web.Response:
        execution_id = _execution_id(request)
        name = request_name(request, body)

        def view(house: House, now: Instant) -> Json:
            return job_view(decide(house, now), house.jobs.state_of(execution_id))

        with telling_problems():
            engine = await self._estate.of_execution(execution_id)
            answered = await engine.on_execution(execution_id, name, view)
        return answer(request, answered, status=status)


def _execution_id(request: web.Request) -> ExecutionId:
    return ExecutionId(path_id(request, "executionId"))


def routes(bridge: Bridge) -> list[Route]:
    """The routes on jobs."""
    on = _Jobs(bridge)
    all_of = "/v1/executions/{executionId}/jobs"
    one = all_of + "/{jobId}"
    refused = (UnknownExecution, KeyReused, StoreUnavailable)
    state = Answer("The job.", "job-state")
    return [
        Route(
            "POST",
            all_of,
            on.add,
            "Add an outstanding job to an active execution.",
            {201: state},
            body="job",
            body_optional=True,
            problems=(*refused, NotInState, JobRefused),
            keyed=True,
        ),
        Route(
            "POST",
            f"{one}/claim",
            on.verb(Jobs.claim),
            "Take a job, as the only worker.",
            {200: state},
            problems=(*refused, UnknownJob, JobRefused),
            keyed=True,
        ),
        Route(
            "POST",
            f"{one}/finished",
            on.verb(Jobs.finish),
            "Report that a job is done.",
            {200: state},
            problems=(*refused, UnknownJob, JobRefused),
            keyed=True,
        ),
    ]
