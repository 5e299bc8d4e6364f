"""What was shown of runs: it is on record, and time does not run backwards in it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crash.checks.violation import Kind, Violation
from schedule_bridge.core.model import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crash.history import Call, History
    from crash.record import Record
    from schedule_bridge.core.model import Instant

_TERMINAL = frozenset(state.value for state in TERMINAL)


@dataclass(slots=True, frozen=True)
class View:
    """How far a run had come, as one answer showed it.

    A request that named itself may be a repeat, whose answer is that of the first time.
    """

    asked: Instant
    answered: Instant
    may_be_repeated: bool
    progress: int
    shown: dict[str, Any]


def what_was_seen_stays(history: History, record: Record) -> Iterator[Violation]:
    """A run that was shown or offered is on record, with its token, and with its end."""
    rows = {row["execution_id"]: row for row in record.executions}
    offered = [offer.frame for offer in history.offers]
    for view in [*offered, *(shown for call in history.calls for shown in _shown(call))]:
        row = rows.get(view["executionId"])
        token = view["fencingToken"]
        if row is None:
            yield Violation(Kind.LOST, f"a run that was seen is not on record: {view}")
        elif token is not None and token != row["fencing_token"]:
            yield Violation(Kind.WRONG, f"the token of {view} is another one on record: {row}")
        elif view.get("state") in _TERMINAL and view["state"] != row["state"]:
            yield Violation(Kind.WRONG, f"the end of {view} is another one on record: {row}")


def no_later_view_is_older(history: History, _: Record) -> Iterator[Violation]:
    """Nobody who decides no longer shows what was, to who asks after it was seen to have passed."""
    views: dict[str, list[View]] = defaultdict(list)
    for call in history.calls:
        for shown in _shown(call):
            assert call.answered is not None
            view = View(call.asked, call.answered, call.key is not None, _progress(shown), shown)
            views[shown["executionId"]].append(view)
    for seen in views.values():
        yield from _running_backwards(seen)


def _running_backwards(views: list[View]) -> Iterator[Violation]:
    for view in views:
        if view.may_be_repeated:
            continue
        before = [each for each in views if each.answered < view.asked]
        furthest = max(before, key=lambda each: each.progress, default=view)
        if furthest.progress > view.progress:
            yield Violation(Kind.WRONG, f"shown {furthest}, and later {view}")


def _progress(shown: dict[str, Any]) -> int:
    """Held, started, claimed, ended."""
    if shown["state"] in _TERMINAL:
        return 3
    if shown["startedAt"] is not None:
        return 2
    return 0 if shown["fencingToken"] is None else 1


def _shown(call: Call) -> Iterator[dict[str, Any]]:
    if call.done and call.path.startswith("/v1/executions?"):
        yield from call.value["executions"]
    elif call.done and isinstance(call.value, dict) and "fencingToken" in call.value:
        yield call.value
