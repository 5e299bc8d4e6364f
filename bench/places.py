"""Where the bench keeps what it makes: nothing of it is in the repository."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
KEPT = ROOT / ".bench"
"""Peers and generated stores, kept from run to run."""
PEERS = ROOT / "bench" / "peers"


def program(name: str) -> Path:
    """A program of the environment that runs the bench."""
    return Path(sys.executable).with_name(name)


def peer_python(environment: str) -> Path:
    """The Python of a peer's own environment, which `scripts/bench.mjs` makes."""
    folder = KEPT / environment
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


@contextmanager
def work_folder() -> Iterator[Path]:
    """A folder on the disk that holds the repository: a temporary one may be in memory."""
    KEPT.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=KEPT, prefix="work-") as folder:
        yield Path(folder)
