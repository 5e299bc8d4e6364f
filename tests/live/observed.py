"""What a client of a live bridge saw, in the lanes of `expected`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.clock import MIDNIGHT
from live.expected import Seen
from schedule_bridge.core.model import SECOND
from schedule_bridge.wire.times import parse_instant

if TYPE_CHECKING:
    from live.hands import StreamHands
    from live.player import Player
    from live.stage import Stage
    from service.caller import Json

_SAID_BY_THE_RULE = ("cancelled", "removed")
"""Why a firing was dropped with its execution; the simulator prints the end without it."""


def executions_seen(shown: dict[str, Json]) -> dict[str, Any]:
    """When each started, when it ended, its state."""
    return {
        name: (_seconds(each["startedAt"]), _seconds(each["endedAt"]), _state(each))
        for name, each in shown.items()
    }


def frames_seen(hands: StreamHands, player: Player) -> Seen:
    """The frames of a client's stream."""
    seen = Seen()
    for at, frame in hands.heard:
        _see(seen, at, frame, player)
    return seen


def jobs_cancelled(stage: Stage) -> list[str]:
    """In the order in which they were written."""
    rows = [row for batch in stage.store.batches for row in batch.jobs.values()]
    return [row[1] for row in rows if row[-1] == "cancelled"]


def _see(seen: Seen, at: float, frame: Json, player: Player) -> None:
    match frame["type"]:
        case "decision":
            made = frame["decision"]
            assert _seconds(made["decidedAt"]) == at
            reason = None if made["reason"] in _SAID_BY_THE_RULE else made["reason"]
            seen.decisions.append((at, made["triggerId"], made["decision"], reason))
        case "execution.start":
            seen.starts.append((at, player.name_of(frame["executionId"]), frame["payload"]))
        case "execution.ended":
            seen.ends.append((at, player.name_of(frame["executionId"]), frame["outcome"]))


def _state(execution: Json) -> str:
    """The simulator's clients claim at once and its pauses print nothing."""
    state: str = execution["state"]
    return "running" if state == "paused" else state


def _seconds(instant: str | None) -> float | None:
    if instant is None:
        return None
    passed = parse_instant(instant) - MIDNIGHT
    return passed // SECOND if passed % SECOND == 0 else passed / SECOND
