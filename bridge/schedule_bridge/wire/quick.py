"""A quick yes to what is valid, where the platform has jsonschema-rs.

Nearly everything that comes is valid, and jsonschema takes some twenty times as long to find
that out. What is not valid by this is looked at again by jsonschema, which says what is wrong in
words: it alone refuses.
"""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any, Final

import orjson

from schedule_bridge.wire.times import InstantError, parse_instant

Judge = Callable[[object], bool]

HAS_QUICK_YES: Final = find_spec("jsonschema_rs") is not None
"""There is no wheel for some small machines; there everything goes the slow way."""


def quick_judges(documents: Mapping[str, Mapping[str, Any]]) -> Callable[[str], Judge]:
    """What makes, of a reference into the documents, a judge of values.

    A judge says True of what is valid for sure. False says nothing.
    """
    if not HAS_QUICK_YES:
        return lambda _reference: _never
    import jsonschema_rs  # noqa: PLC0415 - not everywhere

    registry = jsonschema_rs.Registry([(each["$id"], dict(each)) for each in documents.values()])

    def make(reference: str) -> Judge:
        is_valid = jsonschema_rs.Draft202012Validator(
            {"$ref": reference},
            registry=registry,
            formats={"date-time": _is_instant},
            validate_formats=True,
            keywords={"x-maxBytes": _MaxBytes},
        ).is_valid
        return lambda value: _says_yes(is_valid, value)

    return make


def _never(_value: object) -> bool:
    return False


def _says_yes(is_valid: Judge, value: object) -> bool:
    try:
        return is_valid(value)
    except ValueError:  # bytes, dates, lone surrogates: it knows JSON only
        return False


def _is_instant(text: str) -> bool:
    try:
        parse_instant(text)
    except InstantError:
        return False
    return True


class _MaxBytes:
    """`x-maxBytes`, as in `keywords`."""

    def __init__(self, _schema: object, limit: int, _path: object) -> None:
        self._limit = limit

    def validate(self, value: object) -> None:
        """Raises ValueError if the value takes up more than the limit."""
        if len(orjson.dumps(value)) > self._limit:
            raise ValueError("too large")
