"""What turns whatever a handler raises into problem details."""

import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final

from aiohttp import hdrs, web

from schedule_bridge.api.media import media_for_problem
from schedule_bridge.api.problems import TYPE_PREFIX, BodyTooLarge, HttpProblem, Problem, Unexpected
from schedule_bridge.wire.codec import Media, encode

Handle = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]

PROBLEM_JSON: Final = "application/problem+json"

_logger = logging.getLogger(__name__)


def answering_problems(handle: Handle) -> Handle:
    """Answers a Problem, an error of aiohttp's own, and anything unexpected (500, logged)."""

    async def answer_in_any_case(request: web.BaseRequest) -> web.StreamResponse:
        try:
            return await handle(request)
        except ConnectionError:
            raise  # the peer is gone: there is nobody to answer
        except Exception as error:
            return _answer(request, problem_of(error, request.method, request.path))

    return answer_in_any_case


def problem_of(error: Exception, method: str, path: str) -> Problem:
    """What a client is told of an error; one that nobody expected is logged."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, web.HTTPException):
        return _from_aiohttp(error)
    _logger.error("A request failed: %s %s", method, path, exc_info=error)
    return Unexpected("The bridge's log says more.")


def problem_response(problem: Problem, media: Media) -> web.Response:
    """The answer that tells a client of the problem."""
    return web.Response(
        status=problem.status,
        body=encode(media, body_of(problem)),
        content_type=content_type_of(media),
        headers=problem.headers,
    )


def content_type_of(media: Media) -> str:
    """What a problem that is told in that form is called."""
    return PROBLEM_JSON if media is Media.JSON else media.value


def body_of(problem: Problem) -> dict[str, object]:
    """The problem details (RFC 9457)."""
    body: dict[str, object] = {
        "type": TYPE_PREFIX + problem.code,
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
    }
    if problem.faults:
        body["errors"] = [fault.as_value() for fault in problem.faults]
    return body


def _answer(request: web.BaseRequest, problem: Problem) -> web.Response:
    if request.writer.output_size > 0:
        # An answer or a WebSocket has begun: a second answer would be garbage in its middle.
        raise ConnectionAbortedError(problem.code)
    return problem_response(problem, media_for_problem(request))


def _from_aiohttp(error: web.HTTPException) -> Problem:
    if isinstance(error, web.HTTPRequestEntityTooLarge):
        return BodyTooLarge("The body is larger than the bridge reads.")
    status = HTTPStatus(error.status)
    code = status.phrase.lower().replace(" ", "-")
    headers = {name: value for name, value in error.headers.items() if name == hdrs.ALLOW}
    return HttpProblem(status, code, _detail_of(error), headers=headers)


def _detail_of(error: web.HTTPException) -> str:
    if isinstance(error, web.HTTPNotFound):
        return "There is nothing at this path."
    if isinstance(error, web.HTTPMethodNotAllowed):
        allowed = ", ".join(sorted(error.allowed_methods))
        return f"This path takes {allowed}, not {error.method}."
    return f"{HTTPStatus(error.status).phrase}."
