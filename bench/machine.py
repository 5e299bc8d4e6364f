"""The machine that is measured on, without its name, and how busy it is with other things."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

_QUIET_LOAD = 1.5
_QUIET_SHARE = 0.10
_RESTS_WITHIN_SECONDS = 120


def describe() -> dict[str, str]:
    """What a reader needs to judge the figures."""
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)  # noqa: S607 - the one on the PATH is measured
    return {
        "processor": f"{_model()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        "Node.js": node.stdout.strip().removeprefix("v") or "none",
        "SQLite": sqlite3.sqlite_version,
    }


def _model() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def load() -> float:
    """The load of the last minute; 0 where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def come_to_rest() -> float:
    """The load, once it is that of a machine at rest, or does not become so for a while."""
    until = time.monotonic() + _RESTS_WITHIN_SECONDS
    while not is_quiet(load()) and time.monotonic() < until:
        time.sleep(1)
    return load()


def is_quiet(load_before: float) -> bool:
    """Whether a run that begins at such a load may be quoted."""
    return load_before < _QUIET_LOAD


@dataclass(slots=True)
class Neighbours:
    """What other processes take of the processor from here on."""

    _busy: float
    _own: float
    _began: float

    @classmethod
    def watch(cls) -> Neighbours:
        """Begins to look."""
        return cls(_busy_seconds(), _own_seconds(), os.times().elapsed)

    def share(self, also_ours: float = 0.0) -> float:
        """Which part of all cores others have taken since; our children count once they ended.

        `also_ours` is processor time of servers that are no children.
        """
        elapsed = os.times().elapsed - self._began
        others = (_busy_seconds() - self._busy) - (_own_seconds() - self._own) - also_ours
        return max(others, 0) / (elapsed * (os.cpu_count() or 1)) if elapsed else 0.0


def is_noisy(share: float) -> bool:
    """Whether others have disturbed a row."""
    return share > _QUIET_SHARE


def _own_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _busy_seconds() -> float:
    """Of all processes: user, nice, system, interrupts; not idle, not waiting for the disk."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return 0.0
    fields = [int(field) for field in stat.read_text().splitlines()[0].split()[1:]]
    return (sum(fields[:3]) + sum(fields[5:7])) / os.sysconf("SC_CLK_TCK")
