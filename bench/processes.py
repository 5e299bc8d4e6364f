"""Contestants as processes: run for their figures, or kept running to be asked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bench.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.row import Figures

_LONGEST_SECONDS = 300
_STOPS_WITHIN_SECONDS = 20


def contestant(name: str, *arguments: object) -> list[str]:
    """The command of one of `bench/contestants`."""
    return [sys.executable, "-m", f"bench.contestants.{name}", *map(str, arguments)]


def figures_of(command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> Figures:
    """Runs a contestant to its end; the figures that its last line of output holds as JSON.

    Raises:
        RuntimeError: it has failed; the message is what it said last.
    """
    ran = subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=_LONGEST_SECONDS,
        check=False,
    )
    if ran.returncode != 0:
        raise RuntimeError(f"{command} has failed:\n{ran.stderr[-2000:]}")
    figures: Figures = json.loads(ran.stdout.splitlines()[-1])
    return figures


def tell(figures: Figures) -> None:
    """What a contestant in Python says at its end."""
    sys.stdout.write(json.dumps(figures) + "\n")


def server_cores() -> set[int]:
    """All cores but the client's; the only one, if there is no other."""
    cores = _cores()
    return set(cores[:-1]) or set(cores)


@contextmanager
def on_client_core() -> Iterator[None]:
    """Keeps this process, which asks, from the cores of those that answer."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = _cores()
    os.sched_setaffinity(0, {cores[-1]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@contextmanager
def running(
    command: Sequence[str | Path], log: Path, core: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Keeps a server running on the servers' cores; what it says goes to a file, as in life.

    `core` is the one it has to itself.
    """
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*_pinned(server_cores() if core is None else {core}), *map(str, command)],
            cwd=ROOT,
            stderr=said,
            stdout=said,
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(_STOPS_WITHIN_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _cores() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _pinned(cores: set[int]) -> list[str]:
    taskset = shutil.which("taskset")
    if taskset is None:
        return []
    return [taskset, "--cpu-list", ",".join(map(str, sorted(cores)))]
