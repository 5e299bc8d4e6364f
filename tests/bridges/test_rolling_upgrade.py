"""Bridges are replaced one after the other, under traffic, and nobody who asks again is refused.

The bridges are of one version before and after: what is shown is that none of them is missed.
"""

from __future__ import annotations

import os
import random
import sys
from typing import TYPE_CHECKING

from crash.episode import Episode
from crash.judge import judge
from crash.rolling_upgrade import RollingUpgrade
from crash.several_bridges import SeveralBridges

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SEED = os.environ.get("SEARCH_SEED") or str(random.randrange(10**6))  # noqa: S311


async def test_an_upgrade_loses_doubles_and_refuses_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    upgrade = RollingUpgrade()
    episode = Episode(SEED, SeveralBridges(tmp_path, SEED, upgrade))
    await episode.play()
    with capsys.disabled():
        said = f"{upgrade.asked} patient requests, {len(episode.history.calls)} in all"
        sys.stdout.write(f"\nrolling upgrade: SEARCH_SEED={SEED}, {said}\n")
    assert upgrade.refused == []
    assert judge(episode.history, episode.record) == []
