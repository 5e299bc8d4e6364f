"""The triggers of an episode: every policy, with and without schedule, lock keys and client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

EPOCH = "1970-01-01T00:00:00Z"
LOCK_KEYS = ("red", "blue", "shared")
WORKSPACES = {
    "default": (0, 2, 3, 6),
    "other": (1, 2, 4),
    "third": (0, 2, 3),
    "fourth": (1, 3, 5),
}
"""By workspace the limits that are set in turn."""


@dataclass(slots=True, frozen=True)
class Part:
    """A trigger; its ticks lie on every full `every` seconds since 1970, 0 for none.

    `at_most` is how many runs of one of its scopes may be started at a time.
    """

    config: dict[str, Any]
    every: int = 0
    at_most: int = 1

    @property
    def trigger_id(self) -> str:
        """Its name."""
        return str(self.config["triggerId"])

    @property
    def workspace_id(self) -> str:
        """Where it counts."""
        return str(self.config["workspaceId"])

    @property
    def client_id(self) -> str | None:
        """Who runs it; None for API clients."""
        client: str | None = self.config.get("clientId")
        return client

    @property
    def tick_keys(self) -> tuple[str, ...]:
        """The lock keys for which a tick fires (R26)."""
        return tuple(self.config.get("lockKeys") or [self.config.get("lockKey") or ""])

    @property
    def catch_up(self) -> str:
        """What follows a missed stretch."""
        return str(self.config.get("catchUp", "none"))


def _part(trigger_id: str, policy: str, every: int = 0, at_most: int = 1, **more: Any) -> Part:
    config = {"triggerId": trigger_id, "overlapPolicy": policy, "workspaceId": "default", **more}
    if every and "schedule" not in config:
        config["schedule"] = {"kind": "interval", "every": every, "anchor": EPOCH}
    if policy == "allow":
        config["maxConcurrent"] = at_most
    return Part(config, every, at_most)


def _cron(seconds: int) -> dict[str, Any]:
    return {"kind": "cron", "expression": f"*/{seconds} * * * * *", "timezone": "UTC"}


CAST = (
    _part("a-skip", "skip", 1, catchUp="latest"),
    _part("a-queue", "queue", 2, priority=3),
    _part("a-pair", "skip", workflowId="a-queue"),
    _part("a-allow", "allow", at_most=3),
    _part("a-buffer", "buffer", 2),
    _part("a-cancel", "cancel"),
    _part("a-terminate", "terminate", 2),
    _part("a-delay", "queue", 1, delaySeconds=2),
    _part("a-keys", "queue", 2, lockKeys=["red", "blue"], priority=7),
    _part("a-cron", "skip", 2, schedule=_cron(2), catchUp="all"),
    _part("a-event", "queue", on=["push"], lockKeyTemplate="{repo}"),
    _part("a-where", "skip", on=["push"], where={"required": ["number"]}),
    _part("a-shared", "allow", at_most=2, lockKey="shared"),
    _part("b-skip", "skip", 1, clientId="b", catchUp="all"),
    _part("b-queue", "queue", clientId="b"),
    _part("b-cancel", "cancel", 2, clientId="b"),
    _part("c-buffer", "buffer", 1, clientId="c"),
    _part("c-allow", "allow", at_most=2, clientId="c", lockKey="shared"),
    _part("c-delay", "skip", clientId="c", delaySeconds=1),
    _part("d-queue", "queue", 1, clientId="d", workspaceId="other", lockKeys=["red", "blue"]),
    _part("d-terminate", "terminate", clientId="d", workspaceId="other"),
    _part("d-cron", "buffer", 3, clientId="d", workspaceId="other", schedule=_cron(3)),
    _part("e-skip", "skip", 1, workspaceId="third", catchUp="latest"),
    _part("e-queue", "queue", workspaceId="third", lockKey="shared"),
    _part("e-event", "queue", workspaceId="third", on=["push"], lockKeyTemplate="{repo}"),
    _part("e-cancel", "cancel", 2, clientId="e", workspaceId="third", catchUp="all"),
    _part("f-keys", "queue", 2, workspaceId="fourth", lockKeys=["red", "blue"]),
    _part("f-allow", "allow", at_most=3, workspaceId="fourth"),
    _part("f-buffer", "buffer", 1, clientId="f", workspaceId="fourth"),
    _part("f-terminate", "terminate", clientId="f", workspaceId="fourth"),
)

API_PARTS = tuple(part for part in CAST if part.client_id is None)
"""Those that are declared by PUT, claimed and finished by POST."""
DELETED = ("a-skip", "a-buffer", "a-delay", "a-event", "e-skip", "f-allow")
"""Those that are removed and set again now and then."""
LASTING = {
    workspace: next(
        part.trigger_id
        for part in CAST
        if part.workspace_id == workspace and part.trigger_id not in DELETED
    )
    for workspace in WORKSPACES
}
"""By workspace a trigger that is always there."""
LISTENING = tuple(sorted({part.workspace_id for part in CAST if "on" in part.config}))
"""The workspaces that events mean something to."""


def parts_of(client_id: str) -> tuple[Part, ...]:
    """What a stream client declares."""
    return tuple(part for part in CAST if part.client_id == client_id)
