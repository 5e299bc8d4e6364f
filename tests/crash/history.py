"""What clients saw: every request with its answer, every offer, claim and end, every kill."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedule_bridge.core.model import ExecutionId, Instant


def wall() -> Instant:
    """The time of day, as the bridge reads it."""
    return time.time_ns() // 1000


@dataclass(slots=True, frozen=True)
class Call:
    """A request over HTTP; without an answer `status` and `answered` are None."""

    who: str
    method: str
    path: str
    body: Any
    key: str | None
    asked: Instant
    answered: Instant | None = None
    status: int | None = None
    value: Any = None

    @property
    def done(self) -> bool:
        """Whether it was answered with success."""
        return self.status is not None and self.status < 300

    @property
    def decisions(self) -> list[dict[str, Any]]:
        """The decisions that it was answered with; none for other kinds of request."""
        decides = self.path.endswith("/fire") or self.path == "/v1/events"
        found: list[dict[str, Any]] = self.value["decisions"] if decides and self.done else []
        return found


@dataclass(slots=True, frozen=True)
class Offer:
    """A start that was offered over a stream."""

    client: str
    session: str
    frame: dict[str, Any]


@dataclass(slots=True, frozen=True)
class Claim:
    """The answer to a claim. A claim over HTTP is a session of its own for each request name."""

    session: str
    execution_id: ExecutionId
    confirmed: bool


@dataclass(slots=True, frozen=True)
class End:
    """The answer to `finished`; `request` tells a repeat from another report."""

    session: str
    request: str
    execution_id: ExecutionId
    outcome: str
    ignored: bool


@dataclass(slots=True, frozen=True)
class Told:
    """`execution.ended` over a stream."""

    session: str
    execution_id: ExecutionId
    outcome: str


@dataclass(slots=True, frozen=True)
class Declared:
    """A `here`: the triggers that the client declared, which counted between `asked` and `until`.

    `done` says that it was answered; otherwise the connection was lost then, and it may not count.
    """

    client: str
    triggers: tuple[str, ...]
    asked: Instant
    until: Instant
    done: bool


@dataclass(slots=True, frozen=True)
class Kill:
    """A bridge was killed; `traits` are those of the commit at whose boundary it was."""

    at: Instant
    boundary: str
    traits: tuple[str, ...]


@dataclass(slots=True)
class History:
    """All of it, each kind in the order of its answers.

    `errors` are sentences: from the log, or what `doctor` found wrong with the file after a kill.
    """

    calls: list[Call] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    declared: list[Declared] = field(default_factory=list)
    kills: list[Kill] = field(default_factory=list)
    last_sessions: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)

    def decided(self) -> Iterator[dict[str, Any]]:
        """Every decision that was answered."""
        for call in self.calls:
            yield from call.decisions
