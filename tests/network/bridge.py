"""A bridge with short times for tests of the network, and a death at a bad moment if wanted.

Run as `python -m network.bridge` in `tests`. It takes the environment of `schedule-bridge serve`,
and from NETWORK_TEST an object of JSON: `limits` and `settings` by their names, in seconds and
counts, and `diesBefore`, a part of a commit ("decisions", "executions"): the process is killed
before the first commit that has one.
"""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import fields
from pathlib import Path
from signal import SIGKILL
from typing import TYPE_CHECKING, Any

from schedule_bridge.api.app import make_bridge_application
from schedule_bridge.api.context import Bridge
from schedule_bridge.api.guard import Guard
from schedule_bridge.api.limits import Limits
from schedule_bridge.api.server import serve
from schedule_bridge.api.token import read_or_make_token
from schedule_bridge.cli.logs import log_to_standard_error
from schedule_bridge.cli.stopping import told_to_stop
from schedule_bridge.core.model import SECOND
from schedule_bridge.engine import Engine, Settings, SoleEstate, SystemClock
from schedule_bridge.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedule_bridge.store import Batch


class MortalStore(SqliteStore):
    """A real store whose process is killed before a commit with a certain part."""

    def __init__(self, path: Path, dies_before: str | None) -> None:
        super().__init__(path)
        self._dies_before = dies_before

    async def append(self, batch: Batch) -> None:
        if self._dies_before is not None and getattr(batch, self._dies_before):
            os.kill(os.getpid(), SIGKILL)
        await super().append(batch)


def _settings(given: Mapping[str, float]) -> Settings:
    durations = {field.name for field in fields(Settings) if field.type == "Duration"}
    return Settings(
        **{
            name: int(value * SECOND) if name in durations else int(value)
            for name, value in given.items()
        }
    )


async def _serve(wanted: Mapping[str, Any]) -> None:
    store = MortalStore(Path(os.environ["SCHEDULE_BRIDGE_DATABASE"]), wanted.get("diesBefore"))
    engine = Engine(store, _settings(wanted.get("settings", {})), SystemClock())
    token = read_or_make_token(Path(os.environ["SCHEDULE_BRIDGE_TOKEN_FILE"]))
    await engine.start()
    limits = Limits(**wanted.get("limits", {}))
    app = make_bridge_application(Bridge(SoleEstate(engine), "0"), Guard(token), limits)
    runner = await serve(app, "127.0.0.1", int(os.environ["SCHEDULE_BRIDGE_PORT"]))
    try:
        await told_to_stop(with_parent=False)
    finally:
        for link in engine.presence.links():
            link.close()
        await runner.cleanup()
        await engine.stop()


if __name__ == "__main__":
    log_to_standard_error()
    asyncio.run(_serve(json.loads(os.environ["NETWORK_TEST"])))
