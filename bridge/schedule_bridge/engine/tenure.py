"""How long this bridge may decide for a workspace, by its own clock."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedule_bridge.core.model import WorkspaceId
    from schedule_bridge.store import LeasedStore

_OURS: Final = 0.8
"""How much of a lease counts here: no two clocks run at the same rate."""


def passed() -> float:
    """Seconds passed since some moment, the sleep of the machine included where that is known."""
    return time.clock_gettime(_CLOCK) if _CLOCK is not None else time.monotonic()


_CLOCK: Final = getattr(time, "CLOCK_BOOTTIME", None)


class Tenure:
    """A lease on a workspace as its owner may count on it: it ends here before it ends for others.

    `began` is when the database was about to be asked, in seconds as `passed` tells them.
    """

    def __init__(
        self, store: LeasedStore, workspace_id: WorkspaceId, *, began: float, seconds: float
    ) -> None:
        self.store = store
        self.workspace_id = workspace_id
        self._seconds = seconds * _OURS
        self._ends_at = began + self._seconds
        self._is_lost = False
        self._when_lost: Callable[[], None]
        self._timer: asyncio.TimerHandle

    def watch(self, when_lost: Callable[[], None]) -> None:
        """From now on `when_lost` is called once, at the end that no renewal has put off.

        Not before this has returned: the lease may be over when the database's answer comes.
        """
        self._when_lost = when_lost
        self._look_later()

    def holds(self) -> bool:
        """Whether nobody else can own the workspace now."""
        return not self._is_lost and passed() < self._ends_at

    def extend(self, began: float) -> None:
        """The lease was renewed; `began` is when the database was about to be asked."""
        self._ends_at = max(self._ends_at, began + self._seconds)

    def lose(self) -> None:
        """Somebody else owns the workspace, or may."""
        if not self._is_lost:
            self.end()
            self._when_lost()

    def end(self) -> None:
        """The workspace is given up."""
        self._is_lost = True
        self._timer.cancel()

    def _look_later(self) -> None:
        left = max(self._ends_at - passed(), 0)
        self._timer = asyncio.get_running_loop().call_later(left, self._look)

    def _look(self) -> None:
        if passed() < self._ends_at:
            self._look_later()
        else:
            self.lose()
