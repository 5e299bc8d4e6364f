"""Bridges as processes of their own, each kept on its core."""

from __future__ import annotations

import secrets
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from bench.bridge import Address, awaited
from bench.bridges.cores import busy_seconds
from bench.places import program
from bench.processes import running
from schedule_bridge.cli.places import read_address
from service.shared_bridge import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.bridges.cores import Cores

LEASE_SECONDS = 10.0


@contextmanager
def bridges(folder: Path, count: int, store: str, cores: Cores) -> Iterator[list[Address]]:
    """So many bridges on a store, which is an address of PostgreSQL or a file."""
    token = secrets.token_urlsafe(32)
    with ExitStack() as stack:
        yield [
            stack.enter_context(_bridge(folder / f"bridge-{number}", store, token, core))
            for number in range(count)
            for core in [cores.of_bridge(number)]
        ]


@contextmanager
def _bridge(folder: Path, store: str, token: str, core: int) -> Iterator[Address]:
    folder.mkdir()
    token_file = folder / "token"
    token_file.touch(0o600)
    token_file.write_text(token)
    port = free_port()
    command: list[str | Path] = [
        *(program("schedule-bridge"), "serve", "--port", str(port), "--database", store),
        *("--token-file", token_file, "--lease-seconds", str(LEASE_SECONDS)),
    ]
    with running(command, folder / "bridge.log", core=core) as process:
        awaited(process, lambda: read_address(token_file))
        yield Address(port, token.encode(), process.pid)


def busy(of: list[Address]) -> float:
    """Processor time of bridges so far."""
    return sum(busy_seconds(each.pid) for each in of)
