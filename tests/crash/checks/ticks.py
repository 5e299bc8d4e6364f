"""Ticks: each nominal tick of the past has one firing or lies in one missed stretch (R23, R24)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crash.cast import CAST, Part
from crash.checks.violation import Kind, Violation
from crash.patience import PATIENCE
from schedule_bridge.core.model import SECOND, Instant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crash.history import History
    from crash.record import Record, Row

_CAUGHT_UP_AT_MOST = 100
_FOREVER: Instant = 2**62


@dataclass(slots=True, frozen=True)
class Excuse:
    """From `since` to `until` the trigger may have been taken away, or not have been there."""

    since: Instant
    until: Instant


def every_tick_is_accounted_for(history: History, record: Record) -> Iterator[Violation]:
    """For every trigger with a schedule, and each of its lock keys."""
    asked = {decision["firingId"] for decision in history.decided()}
    for part in CAST:
        for key in part.tick_keys if part.every else ():
            walk = Walk(part, excuses_of(part, history), detachments_of(part, history))
            yield from walk.over(_rows_of(part, key, record, asked))


def _rows_of(part: Part, key: str, record: Record, asked: set[str]) -> Iterator[Row]:
    """Firings of ticks and missed stretches in the order of their decisions.

    A stretch is written with the decision that stands for it, so the n-th of one kind belongs
    to the n-th of the other.
    """
    stretches = iter([r for r in record.missed_stretches if r["trigger_id"] == part.trigger_id])
    for row in record.decisions:
        if row["trigger_id"] != part.trigger_id or row["firing_id"] in asked:
            continue
        if row["verdict"] == "missed":
            yield next(stretches)
        elif row["lock_key"] == key:
            yield row


def excuses_of(part: Part, history: History) -> list[Excuse]:
    """Before it was declared, and from a request to remove it until it is declared again."""
    declared = sorted(_declared(part, history))
    removed = sorted(
        call.asked
        for call in history.calls
        if (call.method, call.path) == ("DELETE", f"/v1/triggers/{part.trigger_id}")
    )
    return [
        Excuse(since, next((at for at in declared if at > since), _FOREVER))
        for since in (0, *removed)
    ]


def _declared(part: Part, history: History) -> Iterator[Instant]:
    """When it was known to be declared."""
    for call in history.calls:
        if (call.method, call.path) == ("PUT", f"/v1/triggers/{part.trigger_id}") and call.answered:
            yield call.answered
    for here in history.declared:
        if here.done and part.trigger_id in here.triggers:
            yield here.until


def detachments_of(part: Part, history: History) -> list[Excuse]:
    """When its client may have left it out of a `here`: what waited then is not caught up."""
    return [
        Excuse(here.asked, here.until)
        for here in history.declared
        if here.client == part.client_id and part.trigger_id not in here.triggers
    ]


class Walk:
    """Along the grid of a trigger's ticks, for one lock key."""

    def __init__(
        self, part: Part, excuses: Sequence[Excuse], detachments: Sequence[Excuse]
    ) -> None:
        self._part = part
        self._detachments = detachments
        self._excuses = excuses
        self._every = part.every * SECOND
        self._next: Instant = 0
        self._dispatched: Instant = 0
        self._owed = 0
        self._owed_for_sure = 0
        self._in_stretch = False

    def over(self, rows: Iterator[Row]) -> Iterator[Violation]:
        """What is wrong with these firings and stretches."""
        for row in rows:
            if "first_tick" in row:
                yield from self._stretch(row)
                self._in_stretch = True
                continue
            self._in_stretch = False
            yield from self._firing(row)
        yield from self._nothing_is_owed("the end")
        yield from self._until_now_all_is_accounted_for("the end")
        if not self._is_excused(max(self._next, 1)):
            yield self._violation(Kind.LOST, f"the tick {self._next} and all after it")

    def _firing(self, row: Row) -> Iterator[Violation]:
        at = row["fired_at"]
        if self._owed and self._next > at:  # it has no tick of its own, so it catches up
            self._owed -= 1
            self._owed_for_sure = max(self._owed_for_sure - 1, 0)
            return
        yield from self._nothing_is_owed(row)
        yield from self._until_now_all_is_accounted_for(row)
        self._skip_excused(at)
        if self._next > at:
            yield self._violation(Kind.DOUBLED, f"a firing without a tick of its own: {row}")
            return
        if at - self._next > PATIENCE.tick_waits_for_client:
            yield self._violation(Kind.LOST, f"the tick {self._next} before {row}")
            self._next = at - at % self._every
        self._next += self._every
        self._dispatched = at

    def _stretch(self, row: Row) -> Iterator[Violation]:
        first, last, ticks = row["first_tick"], row["last_tick"], row["ticks"]
        if not self._in_stretch:
            yield from self._nothing_is_owed(row)
        if ticks != (last - first) // self._every + 1 or first % self._every:
            yield self._violation(Kind.WRONG, f"a stretch that does not count its ticks: {row}")
        while self._next < first and self._is_excused(self._next):
            self._next = self._following(self._next, first)
        if self._next < first:
            yield self._violation(Kind.LOST, f"the tick {self._next} before {row}")
        elif self._next > first and not self._is_excused(first):
            yield self._violation(Kind.DOUBLED, f"a stretch over decided ticks: {row}")
        self._next = last + self._every
        self._dispatched = max(self._dispatched, row["recorded_at"])
        self._owe(row)

    def _owe(self, row: Row) -> None:
        """R24: what follows a stretch; nothing for sure if the trigger was being taken away.

        That counts for the stretches before it in a row: none of them is caught up then.
        """
        at = row["recorded_at"]
        detached = any(each.since <= at <= each.until for each in self._detachments)
        for_sure = not detached and not self._is_excused(at)
        more = {"none": 0, "latest": 1, "all": row["ticks"]}[self._part.catch_up]
        if row["reason"] == "detached":
            more = 0
        adds_up = self._in_stretch and self._part.catch_up == "all" and more
        before, sure_before = (self._owed, self._owed_for_sure) if adds_up else (0, 0)
        self._owed = min(before + more, _CAUGHT_UP_AT_MOST)
        self._owed_for_sure = min(sure_before + more, _CAUGHT_UP_AT_MOST) if for_sure else 0

    def _nothing_is_owed(self, before: object) -> Iterator[Violation]:
        if self._owed_for_sure:
            said = f"{self._owed_for_sure} were not caught up before {before}"
            yield self._violation(Kind.LOST, said)
        self._owed = self._owed_for_sure = 0

    def _until_now_all_is_accounted_for(self, before: object) -> Iterator[Violation]:
        """The next tick lies strictly after the last dispatch (R23)."""
        if self._next <= self._dispatched and not self._is_excused(self._next):
            yield self._violation(Kind.LOST, f"the tick {self._next} was passed over by {before}")
            self._next = self._dispatched - self._dispatched % self._every + self._every

    def _skip_excused(self, until: Instant) -> None:
        while self._next + self._every <= until and self._is_excused(self._next):
            self._next = self._following(self._next, until)

    def _following(self, tick: Instant, until: Instant) -> Instant:
        """The tick after this one, or the first after the excuse that it lies in."""
        end = max(each.until for each in self._excuses if each.since <= tick <= each.until)
        over = min(end, until) // self._every * self._every
        return max(tick + self._every, over)

    def _is_excused(self, tick: Instant) -> bool:
        return any(each.since <= tick <= each.until for each in self._excuses)

    def _violation(self, kind: Kind, what: str) -> Violation:
        return Violation(kind, f"{self._part.trigger_id}: {what}")
