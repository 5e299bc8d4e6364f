"""A trigger without a schedule."""

from datetime import UTC, tzinfo

from schedule_bridge.schedule.model import Missed


class NoSchedule:
    """No ticks at all: the trigger fires by messages, events and calls only."""

    zone: tzinfo = UTC

    def next_after(self, instant: int) -> None:
        """Never."""

    def last_at_or_before(self, instant: int) -> None:
        """Never."""

    def interval_at(self, instant: int) -> None:
        """None: 24 hours stand in for five of it (R20)."""

    def missed_between(self, after: int, until: int) -> Missed | None:  # noqa: ARG002
        """None: nothing can be missed."""
        return None

    def latest_between(self, after: int, until: int, limit: int) -> list[int]:  # noqa: ARG002
        """None of them."""
        return []
