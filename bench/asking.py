"""A lean client of HTTP/1.1: whole requests made beforehand, next to no reading of answers.

aiohttp's own client costs more than what it asks and would be measured in its place.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from bench.processes import on_client_core

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.row import Figures

_LENGTH = b"content-length: "
_OK = b"HTTP/1.1 200"
_BUSIEST = 0.9
_ANSWERED = "answered"


@dataclass(slots=True)
class Asked:
    """What came of asking: requests answered in a second, and how long each took."""

    per_second: float
    seconds: list[float] = field(default_factory=list)
    spent: Figures = field(default_factory=dict)
    """What a meter has counted for each request."""


class _Caller(asyncio.Protocol):
    """One connection that asks, waits for the whole answer, and asks again."""

    def __init__(self, converse: Callable[[bytes], bytes]) -> None:
        self._converse = converse
        self._transport: asyncio.Transport
        self._received = b""
        self._asked_at = 0.0
        self.took: list[float] = []
        self.answered = 0
        self.failure: Exception | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - for the type
        self._transport = transport

    def ask(self, answer: bytes = b"") -> None:
        """Sends the next request."""
        request = self._converse(answer)
        self._asked_at = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        received = self._received + data if self._received else data
        head, found, body = received.partition(b"\r\n\r\n")
        if not found or len(body) < _length(head):
            self._received = received
            return
        self._received = b""
        self.answered += 1
        self.took.append(time.perf_counter() - self._asked_at)
        if not head.startswith(_OK):
            self.failure = RuntimeError(received[:500].decode(errors="replace"))
            self._transport.close()
            return
        self.ask(body)

    def close(self) -> None:
        """Hangs up; the answer that is under way is nobody's."""
        self._transport.close()


def _length(head: bytes) -> int:
    lowered = head.lower()
    at = lowered.find(_LENGTH)
    if at < 0:
        return 0
    end = lowered.find(b"\r\n", at)
    return int(lowered[at + len(_LENGTH) : end if end >= 0 else len(lowered)])


def ask_for(
    port: int, conversations: Sequence[Callable[[bytes], bytes]], seconds: float, warm_up: float
) -> Asked:
    """Lets each conversation run over a connection of its own, from the client's core.

    A conversation is given the last answer's body, empty at first, and says the next request.

    Raises:
        RuntimeError: an answer was not 200, or the client itself was what kept up the server.
    """
    return ask_each([(port, each) for each in conversations], seconds, warm_up)


def ask_each(
    conversations: Sequence[tuple[int, Callable[[bytes], bytes]]],
    seconds: float,
    warm_up: float,
    meter: Callable[[], Figures] = dict,
) -> Asked:
    """As `ask_for`, each conversation with a port of its own; `meter` tells totals so far."""
    with on_client_core():
        return asyncio.run(_ask_each(conversations, seconds, warm_up, meter))


def _itself(caller: _Caller) -> _Caller:
    return caller


async def _ask_each(
    conversations: Sequence[tuple[int, Callable[[bytes], bytes]]],
    seconds: float,
    warm_up: float,
    meter: Callable[[], Figures],
) -> Asked:
    callers = [_Caller(converse) for _, converse in conversations]
    loop = asyncio.get_running_loop()
    for caller, (port, _) in zip(callers, conversations, strict=True):
        await loop.create_connection(partial(_itself, caller), "127.0.0.1", port)
        caller.ask()
    await asyncio.sleep(warm_up)
    before = await _read(meter, callers)
    for caller in callers:
        caller.took = []
    began, busy = time.perf_counter(), time.process_time()
    await asyncio.sleep(seconds)
    wall, busy = time.perf_counter() - began, time.process_time() - busy
    took = [each for caller in callers for each in caller.took]
    after = await _read(meter, callers)
    for caller in callers:
        caller.close()
    _check(callers, busy / wall)
    answered = after.pop(_ANSWERED) - before.pop(_ANSWERED)
    spent = {what: (after[what] - before[what]) / answered for what in after}
    return Asked(len(took) / wall, took, spent)


async def _read(meter: Callable[[], Figures], callers: Sequence[_Caller]) -> Figures:
    """With it how much was answered until half of the reading, which takes its time."""
    at_first = sum(caller.answered for caller in callers)
    found = await asyncio.to_thread(meter)
    return {**found, _ANSWERED: (at_first + sum(caller.answered for caller in callers)) / 2}


def _check(callers: Sequence[_Caller], share: float) -> None:
    for caller in callers:
        if caller.failure is not None:
            raise caller.failure
    if share > _BUSIEST:
        raise RuntimeError(f"The client was busy {share:.0%} of the time: it was measured itself.")
