"""All streams of the bridge's own clients, from the moment of their upgrade."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedule_bridge.engine import Link


class OpenLinks:
    """So that a stop waits for no client: one that has yet to say hello is in no engine's presence.

    A stream whose upgrade was under way at the stop is closed as soon as it is there.
    """

    def __init__(self) -> None:
        self._links: set[Link] = set()
        self._closed = False

    @contextmanager
    def holding(self, link: Link) -> Iterator[None]:
        """While the stream is served."""
        self._links.add(link)
        if self._closed:
            link.close()
        try:
            yield
        finally:
            self._links.discard(link)

    def close(self) -> None:
        """Has all of them, and those that come, connect anew elsewhere or later."""
        self._closed = True
        for link in tuple(self._links):
            link.close()
