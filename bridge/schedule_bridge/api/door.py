"""Where the guard stands: before aiohttp routes a request or answers what it expects."""

from http import HTTPStatus
from typing import Final

from aiohttp import hdrs, web

from schedule_bridge.api.answering import Handle, problem_response
from schedule_bridge.api.connection import Connection
from schedule_bridge.api.guard import Guard
from schedule_bridge.api.media import media_for_problem
from schedule_bridge.api.problems import HttpProblem, Problem

_CONTINUE: Final = "100-continue"


def guarded(guard: Guard, handle: Handle) -> Handle:
    """The handling of requests, for those alone who pass the guard."""

    async def handle_if_let_in(request: web.BaseRequest) -> web.StreamResponse:
        try:
            _let_in(guard, request)
        except Problem as problem:
            return problem_response(problem, media_for_problem(request))
        return await handle(request)

    return handle_if_let_in


def _let_in(guard: Guard, request: web.BaseRequest) -> None:
    if guard.check(request) and isinstance(request.protocol, Connection):
        request.protocol.trusted = True
    if request.headers.get(hdrs.EXPECT, _CONTINUE).lower() != _CONTINUE:
        status = HTTPStatus.EXPECTATION_FAILED
        raise HttpProblem(
            status, "expectation-failed", "The bridge meets no expectation but 100-continue."
        )
