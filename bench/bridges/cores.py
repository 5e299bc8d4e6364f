"""Who works on which core, as far as there are cores."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(slots=True, frozen=True)
class Cores:
    """The client has the last one, the bridges take turns on the first ones.

    The database has the one before the last; of two, the client's.
    """

    client: int
    database: int
    bridges: tuple[int, ...]

    def of_bridge(self, number: int) -> int:
        """The core of a bridge, counted from 0."""
        return self.bridges[number % len(self.bridges)]

    def __str__(self) -> str:
        bridges = ", ".join(map(str, self.bridges))
        return (
            f"bridges on core {bridges}, PostgreSQL on core {self.database}, "
            f"the client on core {self.client}"
        )


def cores() -> Cores:
    """Those of this machine."""
    all_of_them = sorted(os.sched_getaffinity(0))
    client = all_of_them[-1]
    if len(all_of_them) < 3:
        return Cores(client, client, (all_of_them[0],))
    return Cores(client, all_of_them[-2], tuple(all_of_them[:-2]))


def keep_on(core: int, pids: list[int]) -> None:
    """Keeps processes, and what they start from now on, on one core."""
    for pid in pids:
        with suppress(ProcessLookupError):  # it has ended meanwhile
            os.sched_setaffinity(pid, {core})


def family_of(pid: int) -> list[int]:
    """A process and its children."""
    return [pid, *(each for each in _all_processes() if _parent_of(each) == pid)]


def _all_processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _parent_of(pid: int) -> int:
    fields = stat_of(pid)
    return int(fields[1]) if fields else 0


def stat_of(pid: int) -> list[str]:
    """What the system says of a process, from its state on; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def busy_seconds(pid: int) -> float:
    """Processor time of a process and of its children that have ended."""
    fields = stat_of(pid)
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def resident_bytes(pid: int) -> int:
    """Memory of a process that is its own: not what it maps of files."""
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")
