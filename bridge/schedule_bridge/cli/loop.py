"""The event loop of a bridge: it wakes when something is due, not a millisecond later."""

from __future__ import annotations

import asyncio
import select
import selectors
import sys

_SHORT_SECONDS = 0.02
_SELECT_KNOWS_BELOW = 1024

if sys.platform == "linux":

    class _PunctualSelector(selectors.EpollSelector):
        """Waits by epoll, in whole milliseconds; for a short while by select, which is finer.

        An epoll is a file itself, and becomes readable with any of the files that it looks at.
        """

        def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
            """What is ready, waited for as long as that or for ever."""
            if timeout is not None and 0 < timeout < _SHORT_SECONDS:
                if not select.select((self,), (), (), timeout)[0]:
                    return []
                timeout = 0
            return super().select(timeout)


def new_loop() -> asyncio.AbstractEventLoop:
    """The system's usual loop, with a selector of ours where that helps."""
    if sys.platform != "linux":
        return asyncio.new_event_loop()
    selector = _PunctualSelector()
    if selector.fileno() < _SELECT_KNOWS_BELOW:
        return asyncio.SelectorEventLoop(selector)
    selector.close()
    return asyncio.new_event_loop()
