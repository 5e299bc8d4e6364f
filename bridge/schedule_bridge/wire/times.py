"""Instants as text: RFC 3339 to microseconds since the epoch and back."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_IN_UTC: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - without a zone it is told faster
_MICROSECOND: Final = timedelta(microseconds=1)
_INSTANTS_KNOWN: Final = 256
"""What is told of one moment names it several times."""
_SHAPE: Final = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))",
    re.ASCII,
)


class InstantError(ValueError):
    """Text that names no instant; its message is a sentence for a person."""


def parse_instant(text: str) -> int:
    """Microseconds since the epoch of an RFC 3339 text with an offset.

    Digits beyond microseconds are cut off. A leap second and an instant outside the years 1 to
    9999 in UTC raise InstantError, as does anything else that is not RFC 3339.
    """
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise InstantError("An instant looks like 2026-01-01T00:00:00Z, with its offset.")
    clock, fraction, sign, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours), minutes=int(minutes)) if sign else timedelta()
    try:
        local = datetime.fromisoformat(clock).replace(tzinfo=UTC)
        utc = local + offset if sign == "-" else local - offset
    except (ValueError, OverflowError):
        raise InstantError("There is no such date or time of day.") from None
    return (utc - _EPOCH) // _MICROSECOND + int((fraction or "").ljust(6, "0")[:6])


def format_instant(instant: int) -> str:
    """RFC 3339 in UTC with milliseconds, of microseconds since the epoch; the rest is floored."""
    return _format_millisecond(instant // 1000)


@lru_cache(_INSTANTS_KNOWN)
def _format_millisecond(millisecond: int) -> str:
    moment = _EPOCH_IN_UTC + timedelta(milliseconds=millisecond)
    return moment.isoformat(timespec="milliseconds") + "Z"


def format_moment(moment: datetime) -> str:
    """RFC 3339 in UTC with milliseconds, of an aware datetime; the rest is cut off."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds") + "Z"
