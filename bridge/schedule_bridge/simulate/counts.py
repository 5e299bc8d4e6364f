"""What a trigger did, counted in one sentence; what did not happen is left out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from schedule_bridge.simulate.outcome import WORDS, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedule_bridge.simulate.story import Story

_FIRINGS: Final = (Outcome.SKIPPED, Outcome.DROPPED, Outcome.MERGED)
_ENDS: Final = (Outcome.CANCELLED, Outcome.TERMINATED, Outcome.EXPIRED, Outcome.FAILED)


def count(story: Story) -> str:
    """Such as "12 ticks, 6 runs, 6 skipped." or "1 firing, 1 run. 1 still waits."."""
    what = "tick" if story.ticks_only else "firing"
    if not story.firings:
        return f"No {what}s."
    sentence = ", ".join((_number(story.firings, what), *_happened(story)))
    waiting = sum(wait.end is None for wait in story.waits)
    if not waiting:
        return f"{sentence}."
    return f"{sentence}. {waiting} still {'waits' if waiting == 1 else 'wait'}."


def _happened(story: Story) -> Iterator[str]:
    marks = Counter(mark.outcome for mark in story.marks)
    ends = Counter(run.ending for run in story.runs)
    ends[Outcome.CANCELLED] += sum(wait.cancelled for wait in story.waits)
    if story.runs:
        yield _number(len(story.runs), "run")
    yield from (f"{marks[outcome]} {WORDS[outcome]}" for outcome in _FIRINGS if marks[outcome])
    yield from (f"{ends[outcome]} {WORDS[outcome]}" for outcome in _ENDS if ends[outcome])


def _number(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
