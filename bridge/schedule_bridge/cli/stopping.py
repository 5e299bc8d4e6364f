"""When a bridge that serves is to stop: by a signal, or with the process that started it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from contextlib import suppress
from threading import Thread, Timer
from typing import Final

log = logging.getLogger("schedule_bridge.service")

_STANDARD_INPUT: Final = 0
_STOP_SECONDS: Final = 4.2
"""How long a stop may take; whoever asked for it waits five seconds, and then kills."""


def leave_interrupts_to_parent() -> None:
    """Has a terminal's Ctrl-C do nothing here.

    It reaches the parent as well, which hands in the ends of its runs before it goes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


async def told_to_stop(*, with_parent: bool) -> None:
    """Waits for a signal; with a parent also for the end of the pipe that standard input is.

    The system closes the pipe however the parent ended, so a parent that was killed leaves no
    bridge behind.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM,) if with_parent else (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        with suppress(NotImplementedError):  # Windows: Ctrl-C arrives as KeyboardInterrupt
            loop.add_signal_handler(number, stop.set)
    if with_parent:
        # A thread, because not every platform's loop can wait for standard input.
        Thread(target=_wait_for_end_of_input, args=(loop, stop), daemon=True).start()
    await stop.wait()


def end_in_time() -> None:
    """Ends the process if stopping takes too long: a disk that hangs would hold it for ever.

    Nothing that was answered is lost, since it is durable; what was not is asked for again.
    """
    timer = Timer(_STOP_SECONDS, _end_now)
    timer.daemon = True
    timer.start()


def _end_now() -> None:
    log.error(
        "The bridge ends without its store, which does not answer. What was answered is kept.",
        extra={"action": "stop"},
    )
    os._exit(1)


def _wait_for_end_of_input(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    # Not by way of sys.stdin, whose lock a blocked reader would hold when the interpreter ends.
    with suppress(OSError):
        while os.read(_STANDARD_INPUT, 4096):
            pass
    with suppress(RuntimeError):  # the loop is closed: the bridge has stopped already
        loop.call_soon_threadsafe(stop.set)
