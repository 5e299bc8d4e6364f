"""Times after the start of a scenario, as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.model import HOUR, MINUTE, SECOND

if TYPE_CHECKING:
    from schedule_bridge.core.model import Duration


def elapsed(duration: Duration) -> str:
    """Hours, minutes and seconds, such as 0:20:00 or 31:05:00.25."""
    clock = f"{duration // HOUR}:{duration // MINUTE % 60:02}:{duration // SECOND % 60:02}"
    return clock + fraction(duration)


def fraction(duration: Duration) -> str:
    """The part below a second, with its point; empty if there is none."""
    micros = duration % SECOND
    return f".{micros:06}".rstrip("0") if micros else ""
