"""Errors as the bridge answers them: problem details, RFC 9457.

Every refusal is an exception of this tree, with a stable `type`; `answering` turns it into an
answer. What a route refuses for reasons of its own derives from Problem beside that route.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from schedule_bridge.wire.faults import MAX_FAULTS, Fault

TYPE_PREFIX: Final = "urn:schedule-bridge:problem:"


class Problem(Exception):  # noqa: N818 # the word of RFC 9457
    """A refusal: a stable code, a status and a title of its kind, a sentence of its own.

    `faults` say what is wrong where in a body, the first 20 of them; `headers` go with the answer.
    """

    status: int
    code: str
    title: str

    def __init__(
        self,
        detail: str,
        *,
        faults: Sequence[Fault] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.faults = tuple(faults[:MAX_FAULTS])
        self.headers = dict(headers or {})


class BadRequest(Problem):
    """The request itself is not in order."""

    status = 400
    code = "bad-request"
    title = "The request is not in order"


class InvalidBody(Problem):
    """The body was read and a schema refuses it; `faults` say where."""

    status = 400
    code = "invalid-body"
    title = "The body is not valid"


class InvalidQuery(Problem):
    """A query parameter is unknown, repeated or not valid."""

    status = 400
    code = "invalid-query"
    title = "The query is not valid"


class Unauthorized(Problem):
    """The token is missing or another one."""

    status = 401
    code = "unauthorized"
    title = "The token is missing or wrong"


class ForbiddenHost(Problem):
    """The Host header names no address of this bridge."""

    status = 403
    code = "forbidden-host"
    title = "This host is not served"


class ForbiddenOrigin(Problem):
    """The request comes from a web page that was not allowed."""

    status = 403
    code = "forbidden-origin"
    title = "This origin is not allowed"


class NotAcceptable(Problem):
    """The client wants neither JSON nor MessagePack."""

    status = 406
    code = "not-acceptable"
    title = "There is no such form of the answer"


class SlowBody(Problem):
    """The body did not arrive in time."""

    status = 408
    code = "slow-body"
    title = "The body did not arrive in time"


class BodyTooLarge(Problem):
    """The body exceeds the limit."""

    status = 413
    code = "body-too-large"
    title = "The body is too large"


class UnsupportedMediaType(Problem):
    """The body is in a form that the bridge does not read."""

    status = 415
    code = "unsupported-media-type"
    title = "This form of body is not read"


class HttpProblem(Problem):
    """Something that HTTP itself has a status for, such as a path that does not exist."""

    title = "The request was refused"

    def __init__(
        self, status: int, code: str, detail: str, *, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail, headers=headers)
        self.status = status
        self.code = code


class Unexpected(Problem):
    """A mistake in the bridge; the log has it, the answer does not."""

    status = 500
    code = "unexpected"
    title = "Something went wrong in the bridge"


class UnreadableBody(Problem):
    """The body is not what its content type says, or holds values that are not let in.

    Its code is the one of the WireError that refused it.
    """

    status = 400
    code = "unreadable-body"
    title = "The body cannot be read"

    def __init__(self, code: str, fault: Fault) -> None:
        super().__init__(fault.message, faults=(fault,))
        self.code = code
