"""The bridge as a process that is killed and started again on one store."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from signal import SIGTERM
from typing import TYPE_CHECKING, Any

from cli.bridge_process import clean_environment
from crash.fault_points import Boundary
from crash.faulty_bridge import AIM, REPORT
from crash.history import History, Kill, wall
from schedule_bridge.store.examination import examine

if TYPE_CHECKING:
    from crash.fault_points import Aim

_ROOT = Path(__file__).parents[2]
_CODE = os.pathsep.join(map(str, (_ROOT / "tests", _ROOT / "bridge")))
_STARTS_WITHIN_SECONDS = 60
_STOPS_WITHIN_SECONDS = 20


def faults_of(database: Path) -> list[str]:
    """What `schedule-bridge doctor` finds wrong with a store; one that was never made is sound."""
    if not database.exists():
        return []
    return [f"{each}" for each in examine(database, wall()).findings if each.is_wrong]


class Victim:
    """One bridge at a time; `up` is set while it listens at `base`."""

    def __init__(self, folder: Path, history: History) -> None:
        self.folder = folder / "schedule-bridge"
        self.up = asyncio.Event()
        self.base = ""
        self.starts = 0
        self._history = history
        self._report = folder / "report"
        self._env = clean_environment(folder, SCHEDULE_BRIDGE_PORT="0", PYTHONPATH=_CODE)
        self._process: Process
        self._reading: asyncio.Task[None]

    async def start(self, aim: Aim | None = None) -> None:
        """Starts it; with an aim it will end by itself, if it comes to that."""
        env = self._env if aim is None else {**self._env, AIM: aim.as_text(), REPORT: self._path()}
        self._report.unlink(missing_ok=True)
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "crash.faulty_bridge", "serve"),
            stdin=DEVNULL,
            stderr=PIPE,
            env=env,
        )
        self.starts += 1
        self._reading = asyncio.create_task(self._read_log())

    async def kill_within(self, seconds: float) -> None:
        """Kills it so long after it has begun to listen, unless it has ended by then."""
        await self._listens_or_ends()
        try:
            async with asyncio.timeout(seconds):
                await self._process.wait()
        except TimeoutError:
            self.kill()
        await self._ended()
        self._history.kills.append(self._what_was_hit())
        self._history.errors += await asyncio.to_thread(faults_of, self.folder / "bridge.db")

    async def terminate(self) -> int | None:
        """Asks it to stop; its exit code."""
        self._process.send_signal(SIGTERM)
        async with asyncio.timeout(_STOPS_WITHIN_SECONDS):
            return await self._ended()

    def kill(self) -> None:
        """Ends it, if it runs."""
        if getattr(self, "_process", None) is not None and self._process.returncode is None:
            self._process.kill()

    @property
    def token(self) -> str:
        """What its clients say."""
        return (self.folder / "token").read_text().strip()

    async def _listens_or_ends(self) -> None:
        up = asyncio.create_task(self.up.wait())
        async with asyncio.timeout(_STARTS_WITHIN_SECONDS):
            await asyncio.wait((up, self._reading), return_when=asyncio.FIRST_COMPLETED)
        up.cancel()

    def _path(self) -> str:
        return os.fspath(self._report)

    def _what_was_hit(self) -> Kill:
        text = self._report.read_text() if self._report.exists() else ""
        if not text:
            return Kill(wall(), Boundary.ANYWHERE, ())
        hit = json.loads(text)
        return Kill(wall(), hit["boundary"], tuple(hit["traits"]))

    async def _ended(self) -> int | None:
        code = await self._process.wait()
        await self._reading
        return code

    async def _read_log(self) -> None:
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            self._heed(line)
        self.up.clear()

    def _heed(self, line: bytes) -> None:
        said: dict[str, Any]
        try:
            said = json.loads(line)
        except ValueError:
            if line.endswith(b"\n"):  # else it was killed in the middle of a line
                self._history.errors.append(line.decode())
            return
        if said["level"] == "error" or "traceback" in said:
            self._history.errors.append(line.decode())
        if "url" in said:
            self.base = said["url"]
            self.up.set()
