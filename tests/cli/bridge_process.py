"""The bridge as its user runs it: a process of its own, with its log."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import asynccontextmanager
from pathlib import Path
from signal import SIGCONT, SIGINT, SIGKILL, SIGSTOP, SIGTERM, Signals
from typing import TYPE_CHECKING, Any

from aiohttp import ClientSession

from service.caller import Caller
from service.streamer import Streamer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

_PATIENCE_SECONDS = 20


def clean_environment(folder: Path, **more: str) -> dict[str, str]:
    """An environment without settings of the bridge, and with a data directory of its own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("SCHEDULE_BRIDGE_")}
    return {**kept, "XDG_DATA_HOME": str(folder), **more}


async def run(
    *arguments: str,
    env: Mapping[str, str],
    stdin: bytes = b"",
    before: Callable[[], None] | None = None,
) -> tuple[int | None, str, str]:
    """A command that ends by itself: its exit code and what it printed.

    `before` is done in the new process before the command begins.
    """
    process = await _spawn(*arguments, env=env, before=before)
    async with asyncio.timeout(_PATIENCE_SECONDS):
        out, err = await process.communicate(stdin)
    return process.returncode, out.decode(), err.decode()


async def _spawn(
    *arguments: str, env: Mapping[str, str], before: Callable[[], None] | None = None
) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "schedule_bridge", *arguments),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=env,
        preexec_fn=before,
    )


class BridgeProcess(Caller):
    """A bridge that serves from the data directory of its environment, on a free port."""

    def __init__(self, session: ClientSession, folder: Path, **env: str) -> None:
        super().__init__(session)
        self.folder = folder / "schedule-bridge"
        self.log: list[Any] = []
        self._env = clean_environment(folder, SCHEDULE_BRIDGE_PORT="0", **env)
        self._process: Process
        self._reading: asyncio.Task[None]

    async def start(self, *arguments: str) -> None:
        self._process = await _spawn("serve", *arguments, env=self._env)
        self._listening = asyncio.Event()
        self._reading = asyncio.create_task(self._read_log())
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await self._listening.wait()
        self._find()
        self.document = await self._read_document()

    def _find(self) -> None:
        """As a client on this machine does: by the files beside the token."""
        token = Path(self._env.get("SCHEDULE_BRIDGE_TOKEN_FILE", self.folder / "token"))
        self.base = json.loads(token.with_name("address").read_text())["url"]
        self.authorized = {"Authorization": f"Bearer {token.read_text().strip()}"}

    async def kill(self) -> None:
        self._process.send_signal(SIGKILL)
        await self._ended()

    async def terminate(self) -> int | None:
        """Asks it to stop; its exit code. It has five seconds."""
        return await self.stop_by(SIGTERM)

    async def stop_by(self, signal: Signals) -> int | None:
        """Asks it to stop in one of the ways; its exit code. It has five seconds."""
        self.signal(signal)
        async with asyncio.timeout(5):
            return await self._ended()

    @property
    def pid(self) -> int:
        return self._process.pid

    async def stand_still(self, seconds: float) -> None:
        """Stops it as a debugger or a sleeping machine does, and lets it go on."""
        self._process.send_signal(SIGSTOP)
        await asyncio.sleep(seconds)
        self._process.send_signal(SIGCONT)

    def interrupt(self) -> None:
        """As Ctrl-C in its terminal does."""
        self.signal(SIGINT)

    def signal(self, signal: Signals) -> None:
        self._process.send_signal(signal)

    def close_input(self) -> None:
        """As the end of its parent does."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    async def ended(self) -> int | None:
        """Its exit code, once it has ended by itself."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            return await self._ended()

    async def make_sure_it_is_gone(self) -> None:
        if self._process.returncode is None:
            await self.kill()

    async def open_stream(self, *, answers: bool = True) -> Streamer:
        """A client's connection; one that does not answer acts as a process that hangs."""
        socket = await self.session.ws_connect(
            f"{self.base}/v1/stream?clientId=c&sessionId=s1",
            protocols=["schedule-bridge.v1.json"],
            headers=self.authorized,
            autoping=answers,
            autoclose=answers,
        )
        stream = Streamer(socket, "json")
        await stream.say_hello()
        return stream

    def logged(self, action: str) -> list[Any]:
        return [line for line in self.log if line["action"] == action]

    async def _read_log(self) -> None:
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            self.log.append(json.loads(line))
            if "The bridge listens at" in self.log[-1]["message"]:
                self._listening.set()
        self._listening.set()

    async def _ended(self) -> int | None:
        code = await self._process.wait()
        await self._reading
        return code


@asynccontextmanager
async def serving(folder: Path, *arguments: str, **env: str) -> AsyncIterator[BridgeProcess]:
    async with ClientSession() as session:
        bridge = BridgeProcess(session, folder, **env)
        await bridge.start(*arguments)
        try:
            yield bridge
        finally:
            await bridge.make_sure_it_is_gone()
