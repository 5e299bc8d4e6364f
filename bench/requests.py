"""Requests as bytes, and the conversations that are made of them."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.bridge import Address

_SOME_EXECUTION = b"0" * 16
_EXECUTION = b'"executionId":"'
FIRE = orjson.dumps({"payload": {"text": "x" * 300}, "source": "input"})
"""About as large as the decision that answers it."""
_FINISHED = orjson.dumps({"outcome": "completed"})


def request(to: Address, path: bytes, body: bytes) -> bytes:
    """A whole POST."""
    return b"".join(
        (
            b"POST %b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % (path, to.port),
            b"Authorization: Bearer %b\r\nContent-Type: application/json\r\n" % to.token,
            b"Content-Length: %d\r\n\r\n" % len(body),
            body,
        )
    )


def firing(to: Address, trigger_id: str) -> Callable[[bytes], bytes]:
    """Fires the same trigger again and again."""
    fire = request(to, b"/v1/triggers/%b/fire" % trigger_id.encode(), FIRE)
    return lambda _: fire


def running(to: Address, trigger_id: str) -> Callable[[bytes], bytes]:
    """Fires, claims the run, reports its end, and fires again: three requests a run.

    A server that only echoes names no execution; it gets requests of the same size.
    """
    fire = request(to, b"/v1/triggers/%b/fire" % trigger_id.encode(), FIRE)
    steps = cycle(("fire", "started", "finished"))
    run = _SOME_EXECUTION

    def next_request(answer: bytes) -> bytes:
        nonlocal run
        step = next(steps)
        if step == "fire":
            return fire
        if step == "started":
            at = answer.find(_EXECUTION)
            run = answer[at + len(_EXECUTION) :][:16] if at >= 0 else _SOME_EXECUTION
            return request(to, b"/v1/executions/%b/started" % run, b"")
        return request(to, b"/v1/executions/%b/finished" % run, _FINISHED)

    return next_request
