"""Bytes of any kind are a value or a fault that can be told, within bounds of time and memory."""

from __future__ import annotations

import os
import secrets
import sys
from typing import TYPE_CHECKING

from .decoders import fuzz_decoders

if TYPE_CHECKING:
    import pytest

SECONDS = float(os.environ.get("SEARCH_SECONDS", "5"))
SEED = int(os.environ.get("SEARCH_SEED", secrets.randbelow(1_000_000)))


def test_changed_bodies_are_a_value_or_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    reached = fuzz_decoders(SECONDS, SEED)
    with capsys.disabled():
        sys.stdout.write(f"\ndecoders: SEARCH_SEED={SEED}, {reached.bodies} bodies, ")
        sys.stdout.write(f"{reached.values} of them values\n")
    assert reached.values > 0
    assert reached.refused > 0
