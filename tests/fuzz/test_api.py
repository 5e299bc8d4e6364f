"""No request makes the bridge stumble: every answer is documented, none is a 5xx."""

from __future__ import annotations

import os
import secrets
import sys
from typing import TYPE_CHECKING

from .api import fuzz_api

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SECONDS = int(os.environ.get("SEARCH_SECONDS", "25"))
SEED = int(os.environ.get("SEARCH_SEED", secrets.randbelow(1_000_000)))


async def test_every_answer_of_every_route_is_documented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reached = await fuzz_api(tmp_path, SECONDS, SEED)
    with capsys.disabled():
        sys.stdout.write(f"\nfuzz: SEARCH_SEED={SEED}, {reached.requests} requests, ")
        sys.stdout.write(f"{reached.routes} routes\n")
    assert (reached.server_errors, reached.complaints) == (0, 0), reached.told
    assert reached.left_out == 0
