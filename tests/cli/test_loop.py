"""The loop of a bridge: files are seen in short waits, too, and alarms ring by the microsecond."""

import asyncio
import os
from collections.abc import Callable
from typing import TypeVar

import pytest

from schedule_bridge.cli.loop import new_loop

T = TypeVar("T")


def in_the_loop(work: Callable[[], "asyncio.Future[T]"]) -> T:
    async def play() -> T:
        return await work()

    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(play())


def heard_in(seconds: float) -> "asyncio.Future[str]":
    """A byte in a pipe, sent by another thread; cancelled if the wait ends before it is seen."""
    loop = asyncio.get_running_loop()
    first: asyncio.Future[str] = loop.create_future()
    reading, writing = os.pipe()

    def read() -> None:
        loop.remove_reader(reading)
        first.set_result(os.read(reading, 1).decode())

    loop.add_reader(reading, read)
    loop.call_later(seconds, first.cancel)
    loop.run_in_executor(None, os.write, writing, b"!")
    return first


@pytest.mark.parametrize("seconds", [0.019, 30])
def test_a_file_that_becomes_ready_ends_a_wait(seconds: float) -> None:
    assert in_the_loop(lambda: heard_in(seconds)) == "!"


def rung() -> "asyncio.Future[list[int]]":
    """Which of some alarms of this second rang when, each before its time as -1."""
    loop = asyncio.get_running_loop()
    whole: asyncio.Future[list[int]] = loop.create_future()
    order: list[int] = []

    def ring(number: int, due: float) -> None:
        order.append(number if loop.time() >= due - 1e-6 else -1)
        if len(order) == 50:
            whole.set_result(order)

    for number in range(50):
        delay = 0.0007 * number
        loop.call_later(delay, ring, number, loop.time() + delay)
    return whole


def test_alarms_closer_to_each_other_than_a_millisecond_ring_in_order_and_none_early() -> None:
    assert in_the_loop(rung) == list(range(50))
