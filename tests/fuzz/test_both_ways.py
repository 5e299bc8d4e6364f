"""No client can tell which way its request took, however crooked what it sends."""

from __future__ import annotations

import os
import secrets
import sys
from typing import TYPE_CHECKING

from .both_ways import compare_both_ways

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SECONDS = int(os.environ.get("SEARCH_SECONDS", "15"))
SEED = int(os.environ.get("SEARCH_SEED", secrets.randbelow(1_000_000)))


async def test_both_ways_answer_alike_and_decide_as_often(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compared = await compare_both_ways(tmp_path, SECONDS, SEED)
    with capsys.disabled():
        sys.stdout.write(f"\nboth ways: SEARCH_SEED={SEED}, {compared.exchanges} exchanges, ")
        sys.stdout.write(f"{compared.spared} requests on the short way\n")
    assert compared.different is None
    assert compared.spared > 0
