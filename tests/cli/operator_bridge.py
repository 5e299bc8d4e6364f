"""A real bridge in a process of its own, with a past if need be, and an operator before it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from click.testing import CliRunner, Result

from schedule_bridge.cli import main
from schedule_bridge.cli.places import read_address
from schedule_bridge.store import Batch, SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_COMMAND = (sys.executable, "-m", "schedule_bridge")
_PATIENCE_SECONDS = 30


@dataclass(slots=True)
class RunningBridge:
    """Where it is, how to command it, and how to ask its API directly."""

    token_file: Path
    url: str
    process: subprocess.Popen[bytes]

    def run(self, *arguments: str, **environment: str | None) -> Result:
        """A command of an operator whose environment says only where the token is."""
        return operate(
            *arguments, **{"SCHEDULE_BRIDGE_TOKEN_FILE": str(self.token_file)} | environment
        )

    def pipe(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """The same in a process of its own, with its output in a pipe."""
        told = {"SCHEDULE_BRIDGE_TOKEN_FILE": str(self.token_file), **environment}
        return subprocess.run(
            (*_COMMAND, *arguments),
            env={**_clean_environment(), **told},
            capture_output=True,
            text=True,
            check=False,
        )

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """The API's answer to what it does not refuse."""
        status, said = self.exchange(method, path, body)
        assert status < 400, said
        return said

    def exchange(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """The status and the body of the API's answer."""
        parts = urlsplit(self.url)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=_PATIENCE_SECONDS)
        headers = {
            "Authorization": f"Bearer {self.token_file.read_text().strip()}",
            "Content-Type": "application/json",
        }
        content = None if body is None else json.dumps(body)
        try:
            connection.request(method, "/v1" + path, content, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def declare(self, trigger_id: str, **configuration: object) -> None:
        self.ask("PUT", f"/triggers/{trigger_id}", {"triggerId": trigger_id, **configuration})

    def fire(self, trigger_id: str) -> Any:
        """The decisions on one firing by the API."""
        return self.ask("POST", f"/triggers/{trigger_id}/fire")["decisions"]

    def start(self, trigger_id: str) -> str:
        """The id of a run that a firing started; nobody has claimed it."""
        execution_id = self.fire(trigger_id)[0]["executionId"]
        assert isinstance(execution_id, str)
        return execution_id


@contextmanager
def running_bridge(folder: Path, *past: Batch, host: str = "127.0.0.1") -> Iterator[RunningBridge]:
    """A bridge on a free port whose store holds that past."""
    asyncio.run(_store(folder / "bridge.db", past))
    token_file = folder / "token"
    options = ("--host", host, "--port", "0", "--database", str(folder / "bridge.db"))
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            (*_COMMAND, "serve", *options, "--token-file", str(token_file)),
            env=_clean_environment(),
            stderr=log,
        )
    try:
        yield RunningBridge(token_file, _await_address(token_file, process), process)
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        process.wait(_PATIENCE_SECONDS)


def operate(*arguments: str, **environment: str | None) -> Result:
    """A command in a terminal of 100 columns."""
    silent = {name: None for name in os.environ if name.startswith("SCHEDULE_BRIDGE_")}
    return CliRunner().invoke(main, arguments, env={**silent, "COLUMNS": "100", **environment})


async def _store(path: Path, past: tuple[Batch, ...]) -> None:
    store = SqliteStore(path)
    await store.open()
    for batch in past:
        await store.append(batch)
    await store.close()


def _await_address(token_file: Path, process: subprocess.Popen[bytes]) -> str:
    patience = time.monotonic() + _PATIENCE_SECONDS
    while (url := read_address(token_file)) is None:
        assert process.poll() is None, "the bridge has stopped"
        assert time.monotonic() < patience, "the bridge does not start"
        time.sleep(0.02)
    return url


def _clean_environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("SCHEDULE_BRIDGE_") and name != "COLUMNS"
    }
