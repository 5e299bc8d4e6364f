"""From a trigger configuration of the wire format to the core's own words.

The body has been validated by its schema before; what is read here is the meaning of what
is absent, and R11: an overlap policy that is not one of the six words is `skip`.
"""

from __future__ import annotations

from sys import intern
from typing import TYPE_CHECKING, Any

from schedule_bridge.core.model import (
    MINUTE,
    NO_KEY,
    SECOND,
    ClientId,
    LockKey,
    OverlapPolicy,
    TriggerConfig,
    TriggerId,
    WorkflowId,
    WorkspaceId,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_WORKSPACE = WorkspaceId("default")
DEFAULT_PRIORITY = 5
_POLICIES = {policy.value: policy for policy in OverlapPolicy}


def read_trigger_config(raw: Mapping[str, Any]) -> TriggerConfig:
    """The configuration that a validated body declares, with the defaults of api.md.

    Names that many triggers have in common are kept once.
    """
    policy, unknown = read_policy(raw.get("overlapPolicy"), subscribes=bool(raw.get("on")))
    trigger_id, workflow_id = raw["triggerId"], raw.get("workflowId")
    if not workflow_id or workflow_id == trigger_id:
        workflow_id = trigger_id
    client_id = raw.get("clientId")
    return TriggerConfig(
        trigger_id=TriggerId(trigger_id),
        workflow_id=WorkflowId(workflow_id),
        workspace_id=WorkspaceId(intern(raw.get("workspaceId") or DEFAULT_WORKSPACE)),
        client_id=ClientId(intern(client_id)) if client_id else None,
        name=raw.get("name") or "",
        schedule=raw.get("schedule"),
        policy=policy,
        policy_is_unknown=unknown,
        max_concurrent=_or_default(raw.get("maxConcurrent"), 1),
        max_run=_or_default(raw.get("maxRunMinutes"), 0) * MINUTE,
        priority=_or_default(raw.get("priority"), DEFAULT_PRIORITY),
        lock_keys=tuple(LockKey(key) for key in raw.get("lockKeys") or ()),
        lock_key=LockKey(raw.get("lockKey") or NO_KEY),
        delay=round((raw.get("delaySeconds") or 0) * SECOND),
        payload=raw.get("payload"),
        paused=raw.get("paused"),
        on=tuple(raw.get("on") or ()),
        where=raw.get("where", True),
        lock_key_template=raw.get("lockKeyTemplate"),
    )


def read_policy(declared: object, *, subscribes: bool) -> tuple[OverlapPolicy, bool]:
    """The policy that a declared value stands for, and whether it was an unknown one (R11)."""
    if declared is None:
        return (OverlapPolicy.QUEUE if subscribes else OverlapPolicy.SKIP), False
    if isinstance(declared, str) and declared in _POLICIES:
        return _POLICIES[declared], False
    return OverlapPolicy.SKIP, True


def _or_default(value: float | None, default: int) -> int:
    """JSON Schema counts 1.0 among the integers; the core's instants stay integers."""
    return default if value is None else int(value)
