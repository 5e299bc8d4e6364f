"""The bridge as a process that is killed and started again on one store."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
from signal import SIGKILL, SIGTERM
from typing import TYPE_CHECKING, Any

from cli.bridge_process import clean_environment
from crash.fault_points import Boundary
from crash.faulty_bridge import serve
from crash.history import History, Kill, wall

if TYPE_CHECKING:
    from collections.abc import Collection
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerProcess
    from pathlib import Path

    from crash.fault_points import Aim

_PROCESSES = multiprocessing.get_context("forkserver")
# A bridge takes most of its start for imports; here they are made once for all its lives.
_PROCESSES.set_forkserver_preload(["__main__", "crash.faulty_bridge"])
_STARTS_WITHIN_SECONDS = 60
_STOPS_WITHIN_SECONDS = 20


class EndedByItselfError(Exception):
    """Nobody has killed the bridge, and it is not there."""


class Victim:
    """One bridge at a time; `up` is set while it listens at `base`.

    Errors in its log go to the history, but for those about what is `expected` to go wrong.
    """

    def __init__(
        self,
        folder: Path,
        history: History,
        *,
        whole: str | None = None,
        expected: Collection[str] = (),
        port: int = 0,
        **environment: str,
    ) -> None:
        """With the address of a `whole` database it has all of that in place of its file."""
        self.folder = folder / "schedule-bridge"
        self.up = asyncio.Event()
        self.base = ""
        self._history = history
        self._whole = whole
        self._expected = expected
        self._report = folder / "report"
        port_of = {"SCHEDULE_BRIDGE_PORT": str(port)}
        self._environment = clean_environment(folder, **port_of, **environment)
        self._process: ForkServerProcess | None = None
        self._reading: asyncio.Task[None]

    async def start(self, aim: Aim | None = None) -> None:
        """Starts it; with an aim it will end by itself, if it comes to that."""
        self._report.unlink(missing_ok=True)
        ours, theirs = _PROCESSES.Pipe(duplex=False)
        self._process = _PROCESSES.Process(
            target=serve,
            args=(theirs, self._environment, aim, self._report, self._whole),
        )
        await asyncio.to_thread(self._process.start)
        theirs.close()
        self._reading = asyncio.create_task(self._read_log(ours))

    async def kill_within(self, seconds: float) -> None:
        """Kills it so long after it has begun to listen, unless it has ended by then."""
        await self._listens_or_ends()
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(self._reading)
        except TimeoutError:
            self.kill()
        await self.killed()

    async def killed(self) -> None:
        """Waits for its end, which has to be a kill."""
        if (code := await self._ended()) != -SIGKILL:
            raise EndedByItselfError(f"The bridge ended by itself, with exit code {code}.")
        self._history.kills.append(self._what_was_hit())

    async def listens(self) -> None:
        """Waits until it can be asked."""
        await self._listens_or_ends()
        if not self.up.is_set():
            raise EndedByItselfError("The bridge does not start.")

    async def terminate(self) -> int | None:
        """Asks it to stop; its exit code."""
        self.signal(SIGTERM)
        async with asyncio.timeout(_STOPS_WITHIN_SECONDS):
            return await self._ended()

    def kill(self) -> None:
        """Ends it, if it runs."""
        self.signal(SIGKILL)

    def signal(self, number: int) -> None:
        """Sends it a signal, if it runs."""
        process = self._process
        if process is not None and process.pid is not None and process.is_alive():
            os.kill(process.pid, number)

    @property
    def token(self) -> str:
        """What its clients say."""
        return (self.folder / "token").read_text().strip()

    async def _listens_or_ends(self) -> None:
        up = asyncio.create_task(self.up.wait())
        async with asyncio.timeout(_STARTS_WITHIN_SECONDS):
            await asyncio.wait((up, self._reading), return_when=asyncio.FIRST_COMPLETED)
        up.cancel()

    def _what_was_hit(self) -> Kill:
        text = self._report.read_text() if self._report.exists() else ""
        if not text:
            return Kill(wall(), Boundary.ANYWHERE, ())
        hit = json.loads(text)
        return Kill(wall(), hit["boundary"], tuple(hit["traits"]))

    async def _ended(self) -> int | None:
        await self._reading
        assert self._process is not None
        await asyncio.to_thread(self._process.join)
        return self._process.exitcode

    async def _read_log(self, log: Connection) -> None:
        """Until its end: the process alone holds the other end of the pipe."""
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(os.dup(log.fileno()), "rb")
        )
        log.close()
        async for line in reader:
            self._heed(line)
        transport.close()
        self.up.clear()

    def _heed(self, line: bytes) -> None:
        said: dict[str, Any]
        try:
            said = json.loads(line)
        except ValueError:
            if line.endswith(b"\n"):  # else it was killed in the middle of a line
                self._history.errors.append(line.decode())
            return
        is_error = said["level"] == "error" and said["action"] not in self._expected
        if is_error or "traceback" in said:
            self._history.errors.append(line.decode())
        if "url" in said:
            self.base = said["url"]
            self.up.set()
