"""What a scenario must print, as the lanes in which a client of a live bridge sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from service.caller import Json

_ENDS = ("completed", "failed", "cancelled", "expired")
_DECISIONS = {
    "firing.skipped": "skipped",
    "firing.delayed": "delayed",
    "firing.queued": "queued",
    "firing.merged": "merged",
    "firing.buffered": "buffered",
    "firing.dropped": "dropped",
    "firing.released": "dropped",
    "execution.waiting": "waiting",
    "execution.onHold": "onHold",
    "execution.started": "started",
}


@dataclass(slots=True)
class Seen:
    """Each lane in the order of time; executions by name."""

    decisions: list[tuple[float, str, str, str | None]] = field(default_factory=list)
    starts: list[tuple[float, str, Any]] = field(default_factory=list)
    ends: list[tuple[float, str, str]] = field(default_factory=list)
    cancelled_jobs: list[str] = field(default_factory=list)
    executions: dict[str, tuple[float | None, float | None, str]] = field(default_factory=dict)
    """When each started, when it ended, its state; those that never waited nor started too."""


def expected(events: list[Json]) -> Seen:
    """The lanes of a printed scenario."""
    seen = Seen()
    for event in events:
        _see(seen, event)
    return seen


def _see(seen: Seen, event: Json) -> None:
    what, at = event["event"], event["at"]
    word = what.partition(".")[2]
    name = event.get("executionId")
    if what in _DECISIONS:
        reason = "replaced" if what == "firing.released" else event.get("reason")
        seen.decisions.append((at, event["triggerId"], _DECISIONS[what], reason))
    if what == "job.cancelled":
        seen.cancelled_jobs.append(event["jobId"])
    elif word in _ENDS:
        _see_end(seen, event, word)
    elif name is not None and what != "firing.merged":
        state = {"started": "running", "waiting": "queued"}.get(word, word)
        started_at = at if word == "started" else None
        seen.executions[name] = (started_at, None, state)
        if word == "started":
            seen.starts.append((at, name, event["payload"]))


def _see_end(seen: Seen, event: Json, word: str) -> None:
    """An execution that ends before its start is told as its firing's drop."""
    at, name = event["at"], event["executionId"]
    started_at = seen.executions[name][0]
    if started_at is None:
        seen.decisions.append((at, event["triggerId"], "dropped", None))
    else:
        seen.ends.append((at, name, word))
    seen.executions[name] = (started_at, at, word)
