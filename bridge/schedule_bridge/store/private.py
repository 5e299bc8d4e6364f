"""Files that only their owner may read (security.md, "data at rest")."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def make_private_file(path: Path) -> None:
    """Makes an empty file with mode 0600 in a folder with mode 0700, unless it is there."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    os.close(descriptor)
