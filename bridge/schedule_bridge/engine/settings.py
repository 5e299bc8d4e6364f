"""The times and bounds of the service; none of them is a trigger's own setting."""

from __future__ import annotations

from dataclasses import dataclass

from schedule_bridge.core.model import DAY, MINUTE, SECOND, Duration


@dataclass(slots=True, frozen=True)
class Settings:
    """How long the engine waits for whom, and how much it keeps."""

    tick_waits_for_client: Duration = 30 * SECOND
    """R24: how late a tick may be handled."""

    unclaimed_after: Duration = 60 * SECOND
    """R17: how long an offered start may stay unclaimed."""

    detached_grace: Duration = 60 * SECOND
    """R1: when what a detached trigger had waiting is interrupted."""

    client_gone_after: Duration = 60 * MINUTE
    """When a client that is not here is taken for gone."""

    deadline_grace: Duration = 30 * SECOND
    """R21: how long after the bridge's start a passed deadline waits for its client."""

    detached_kept: Duration = 30 * DAY
    """When a detached trigger is deleted."""

    history_kept: Duration = 30 * DAY
    history_rows: int = 1_000_000
    keys_kept: Duration = DAY
    keys_per_workspace: int = 100_000
    key_bytes_per_workspace: int = 64 * 1024 * 1024
    """Of keys with their answers; a hundred thousand usual ones take less."""

    prune_every: Duration = 5 * MINUTE
    news_every: Duration = SECOND // 2
