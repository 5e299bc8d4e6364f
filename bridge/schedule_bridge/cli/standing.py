"""How a trigger stands, in sentences: what keeps it from firing, what it holds, what it missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schedule_bridge.cli.finding import short_id
from schedule_bridge.cli.when import local_time
from schedule_bridge.core import sentences

if TYPE_CHECKING:
    from schedule_bridge.cli.client import Json
    from schedule_bridge.core.model import Instant

_WARNINGS: Final = {"unknownPolicy": "Its overlap policy is unknown and treated as skip."}


def remarks(trigger: Json, at: Instant) -> list[str]:
    """Everything about a trigger that an operator should know at a glance."""
    warned = [_WARNINGS.get(warning, warning) for warning in trigger["warnings"]]
    latest = [missed_sentence(stretch, at) for stretch in trigger["missed"][:1]]
    return [*obstacles(trigger, at), *_skipping(trigger, at), *_held(trigger, at), *warned, *latest]


def obstacles(trigger: Json, at: Instant) -> list[str]:
    """Why a trigger does not fire at all at present (R1)."""
    said = []
    if trigger["paused"]:
        said.append(f"Paused since {local_time(trigger['pausedSince'], at)}.")
    if trigger["detached"]:
        since = local_time(trigger["detachedSince"], at)
        said.append(f"No client has declared it since {since}.")
    return said


def missed_sentence(stretch: Json, at: Instant) -> str:
    """A missed stretch (R24)."""
    until = local_time(stretch["to"], at)
    return sentences.missed(stretch["count"], until, stretch["reason"])


def _skipping(trigger: Json, at: Instant) -> list[str]:
    streak = trigger["skipping"]
    if streak is None:
        return []
    key = f" for key {streak['lockKey']}" if streak["lockKey"] else ""
    times = "once" if streak["count"] == 1 else f"{streak['count']} times"
    since = local_time(streak["since"], at)
    return [f"Skipped {times}{key} since {since}, behind run {short_id(streak['executionId'])}."]


def _held(trigger: Json, at: Instant) -> list[str]:
    delayed = [
        f"A firing is delayed until {local_time(held['readyAt'], at)}."
        for held in trigger["delayed"]
    ]
    return delayed + ["A firing is held in the slot." for _ in trigger["buffered"]]
