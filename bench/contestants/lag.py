"""The engine on its store: how late the starts of many triggers are offered that are due together.

`python -m bench.contestants.lag TRIGGERS SPREAD_SECONDS FILE`. A start is offered when it is handed
to its client's connection, after the commit that holds it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.lags import lag_figures
from bench.processes import tell
from bench.triggers import daily_at, declared
from schedule_bridge.core.model import SECOND, ClientId, WorkspaceId
from schedule_bridge.engine import Engine, Settings, SystemClock, draw_up
from schedule_bridge.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import Execution, ExecutionId, TriggerId

_LEAD_SECONDS = 6
_LONGEST_SECONDS = 120


class _Client:
    """A connection that notes when it is offered what."""

    def __init__(self, wanted: int) -> None:
        self.client_id = ClientId("bench")
        self.session_id = "s"
        self.workspace_id = WorkspaceId("default")
        self.late: list[float] = []
        self.complete = asyncio.Event()
        self._wanted = wanted

    def offer(self, execution: Execution) -> None:
        self.late.append(time.time() - execution.scheduled_at / SECOND)
        if len(self.late) == self._wanted:
            self.complete.set()

    def ended(self, execution_id: ExecutionId, execution: Execution | None) -> None:
        """No run ends while it is measured."""

    def decided(self, decision: Decision) -> None:
        """The offer says the same."""

    def news(self, executions: Iterable[ExecutionId], triggers: Iterable[TriggerId]) -> None:
        """Nobody watches."""

    def close(self) -> None:
        """There is no socket."""


_TURN_SECONDS = 0.001
"""As `schedule-bridge serve` has it."""


async def _measure(triggers: int, spread: float, file: Path) -> list[float]:
    engine = Engine(SqliteStore(file), Settings(), SystemClock())
    await engine.start()
    client = _Client(triggers)
    first = (engine.now() // SECOND + _LEAD_SECONDS) * SECOND
    drafts = [
        draw_up(declared(number, schedule=daily_at(first + round(each * SECOND))), engine.now())
        for number in range(triggers)
        for each in (spread * number / triggers,)
    ]
    await engine.connect(client)
    await engine.arrive(client, drafts, [])
    await engine.welcome(client, [])
    if engine.now() > first:
        raise RuntimeError("The machine is too busy: the ticks were due before all were declared.")
    async with asyncio.timeout(_LONGEST_SECONDS):
        await client.complete.wait()
    await engine.stop()
    return client.late


def main(triggers: int, spread: float, file: str) -> None:
    """Says how late they were offered."""
    sys.setswitchinterval(_TURN_SECONDS)
    tell(lag_figures(asyncio.run(_measure(triggers, spread, Path(file)))))


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3])
