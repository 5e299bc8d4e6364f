"""R12: what arrives later at a held or queued item is the newer, and wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedule_bridge.core.model import Execution, Firing


def merge_payloads(older: object, newer: object) -> object:
    """Two JSON objects merge by top-level keys; null changes nothing; all else is replaced."""
    if newer is None:
        return older
    if isinstance(older, dict) and isinstance(newer, dict):
        return {**older, **newer}
    return newer


def merge_firing(into: Firing | Execution, firing: Firing) -> None:
    """Lets `firing` join what waits; place, priority, trigger and id of that stay."""
    into.payload = merge_payloads(into.payload, firing.payload)
    into.scheduled_at = firing.scheduled_at
    into.merged_firings += 1 + firing.merged_firings
