"""R12: what arrives later at a held or queued item is the newer, and wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedule_bridge.core.model import Execution, Firing


def merge_payloads(older: object, newer: object) -> object:
    """Two JSON objects merge by top-level keys; null changes nothing; all else is replaced."""
    if newer is None:
        return older
    if isinstance(older, dict) and isinstance(newer, dict):
        return {**older, **newer}
    return newer


def merge_firing(
    into: Firing | Execution, firing: Firing, may_keep: Callable[[object], bool]
) -> bool:
    """Lets `firing` join what waits; place, priority, trigger and id of that stay.

    Payloads whose keys differ would grow for ever: of those that together are more than may be
    kept, the newer stays alone. Whether the older was let go for that.
    """
    merged = merge_payloads(into.payload, firing.payload)
    too_large = _adds_up(merged, firing.payload) and not may_keep(merged)
    into.payload = firing.payload if too_large else merged
    into.scheduled_at = firing.scheduled_at
    into.merged_firings += 1 + firing.merged_firings
    return too_large


def _adds_up(merged: object, newer: object) -> bool:
    """Whether there is more in what was merged than in the newer payload."""
    return isinstance(merged, dict) and isinstance(newer, dict) and len(merged) > len(newer)
