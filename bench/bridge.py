"""Servers to be asked: the real bridge as its own process, and the plain ones beside it."""

from __future__ import annotations

import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from bench.places import program
from bench.processes import contestant, running
from schedule_bridge.cli.places import read_address

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

_STARTS_WITHIN_SECONDS = 60


@dataclass(slots=True, frozen=True)
class Address:
    """How to reach a server on this machine."""

    port: int
    token: bytes
    pid: int

    def call(self, method: str, path: str, body: object = None) -> Any:
        """One request, its answer decoded."""
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            method=method,
            data=None if body is None else orjson.dumps(body),
            headers={
                "Authorization": f"Bearer {self.token.decode()}",
                "Content-Type": "application/json",
            },
        )
        with urllib.request.urlopen(asked) as answered:  # noqa: S310 - see above
            return orjson.loads(answered.read())


@contextmanager
def real_bridge(folder: Path) -> Iterator[Address]:
    """`schedule-bridge serve` with its store in a folder."""
    token_file = folder / "token"
    command: list[str | Path] = [
        *(program("schedule-bridge"), "serve", "--port", "0"),
        *("--database", folder / "bridge.db", "--token-file", token_file),
    ]
    with running(command, folder / "bridge.log") as process:
        port = int(awaited(process, lambda: read_address(token_file)).rpartition(":")[2])
        yield Address(port, token_file.read_bytes().strip(), process.pid)


@contextmanager
def plain_server(kind: str, folder: Path, *options: str) -> Iterator[Address]:
    """A plain server of aiohttp: `contestants/echo.py` or `contestants/ws_echo.py`."""
    port_file = folder / f"{kind}.port"
    with running(contestant(kind, port_file, *options), folder / f"{kind}.log") as process:
        port = int(awaited(process, lambda: port_file.read_text() if port_file.exists() else ""))
        yield Address(port, b"x" * 43, process.pid)


def awaited(process: subprocess.Popen[bytes], read: Any) -> str:
    """What `read` says once it says anything.

    Raises:
        RuntimeError: the process has ended, or takes too long.
    """
    deadline = time.monotonic() + _STARTS_WITHIN_SECONDS
    while time.monotonic() < deadline:
        found: str | None = read()
        if found:
            return found
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} has ended.")
        time.sleep(0.05)
    raise RuntimeError(f"{process.args!r} has not started in {_STARTS_WITHIN_SECONDS} s.")
