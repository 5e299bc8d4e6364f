"""Plays an episode, judges it, shows what was found, and keeps that to be looked into."""

from __future__ import annotations

import pickle
import shutil
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from crash.checks.violation import Kind, Violation
from crash.judge import judge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crash.episode import Episode

_KEPT = Path(__file__).parents[2] / ".run" / "crash"
_SHOWN = 20


async def play_and_judge(episode: Episode, folder: Path) -> list[Violation]:
    """What is wrong; that an episode could not be played to its end is wrong too.

    The `folder` that it was played in is kept if there is anything.
    """
    try:
        await episode.play()
    except Exception as broken_off:
        why = "".join(traceback.format_exception(broken_off))
        found = [Violation(Kind.WRONG, f"the episode broke off: {why}")]
    else:
        found = judge(episode.history, episode.record)
    if found:
        _put_by(episode, folder)
    return found


def _put_by(episode: Episode, folder: Path) -> None:
    kept = _KEPT / episode.seed.replace("/", "-")
    shutil.copytree(folder, kept, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".s.*"))
    (kept / "history.pickle").write_bytes(pickle.dumps((episode.history, episode.record)))


def show(violations: Iterable[Violation]) -> None:
    """The first of them."""
    for violation in list(violations)[:_SHOWN]:
        say(f"  {violation}")


def say(line: str) -> None:
    """To whoever waits for it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
