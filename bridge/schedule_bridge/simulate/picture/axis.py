"""Round times on the axis, on the clock in UTC: four to six of them, rarely three."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from schedule_bridge.core.model import DAY, HOUR, MINUTE, SECOND
from schedule_bridge.simulate.times import fraction

if TYPE_CHECKING:
    from schedule_bridge.core.model import Duration, Instant

_MOST: Final = 6
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST: Final = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)

_STEPS: Final = (
    *(mantissa * 10**power for power in range(6) for mantissa in (1, 2, 3, 5)),
    *(seconds * SECOND for seconds in (1, 2, 3, 5, 10, 15, 20, 30)),
    *(minutes * MINUTE for minutes in (1, 2, 3, 5, 10, 15, 20, 30)),
    *(hours * HOUR for hours in (1, 2, 3, 4, 6, 12)),
    *(days * DAY for days in (1, 2, 3, 5, 7, 14, 28, 56, 100, 200, 365, 730)),
)


def round_times(start: Instant, span: Duration) -> list[tuple[Duration, str]]:
    """Times after `start`, up to `span` later, each with its label.

    No year after 9999 has one, as no schedule of ours reaches there.
    """
    step = next(step for step in _STEPS if len(_grid(start, span, step)) <= _MOST)
    return [
        (instant - start, _label(instant, step, span))
        for instant in _grid(start, span, step)
        if instant <= _LAST
    ]


def _grid(start: Instant, span: Duration, step: Duration) -> range:
    """Round instants counted from the midnight before the start."""
    midnight = start - start % DAY
    first = midnight - (midnight - start) // step * step
    return range(first, start + span + 1, step)


def _label(instant: Instant, step: Duration, span: Duration) -> str:
    moment = _EPOCH + timedelta(microseconds=instant)
    if step >= DAY or (span > DAY and instant % DAY == 0):
        return moment.date().isoformat()
    if step >= MINUTE:
        return f"{moment:%H:%M}"
    return f"{moment:%H:%M:%S}{fraction(instant)}"
