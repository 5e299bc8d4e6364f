"""What the model keeps in its lists."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Json: TypeAlias = Any

STARTED = ("running", "paused")
ACTIVE = ("queued", "onHold", *STARTED)
WORDS = ("skip", "queue", "allow", "buffer", "cancel", "terminate")


@dataclass(eq=False)
class Run:
    """One execution, kept in the list of all runs also after its end."""

    name: str
    trigger: str
    workspace: str
    workflow: str
    key: str
    priority: int
    payload: Json
    state: str = "queued"
    number: int = 0
    held_as: int = 0
    deadline: float = math.inf
    paused_at: float = 0
    ends_by_itself: float = math.inf
    jobs: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Waiting:
    """A firing that waits for its delay or in a slot."""

    trigger: str
    key: str
    payload: Json
    priority: int
    ready_at: float = 0
    number: int = 0


@dataclass(eq=False)
class Declared:
    """A trigger, by its configuration as written."""

    config: dict[str, Any]
    registered: float
    paused: bool = False
    next_tick: float = math.inf

    @property
    def name(self) -> str:
        return str(self.config["triggerId"])

    @property
    def workspace(self) -> str:
        return str(self.config.get("workspaceId", "default"))

    @property
    def workflow(self) -> str:
        return str(self.config.get("workflowId", self.name))

    @property
    def policy(self) -> str:
        word = self.config.get("overlapPolicy")
        return word if isinstance(word, str) and word in WORDS else "skip"

    def own_keys(self) -> list[str]:
        return self.config.get("lockKeys") or [self.config.get("lockKey") or ""]

    def run_time_allowed(self) -> float:
        minutes = self.config.get("maxRunMinutes", 0)
        if minutes:
            return float(60 * minutes)
        schedule = self.config.get("schedule") or {"kind": "none"}
        return float(24 * 3600 if schedule["kind"] == "none" else 5 * schedule["every"])


def merged(older: Json, newer: Json) -> Json:
    """R12."""
    if newer is None:
        return older
    return older | newer if isinstance(older, dict) and isinstance(newer, dict) else newer
