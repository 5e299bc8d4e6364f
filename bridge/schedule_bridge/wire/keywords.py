"""JSON Schema keywords read so that none costs much and each points at the right place.

On top of draft 2020-12: `x-maxBytes` bounds what a part takes up as JSON, `x-sentence` is what a
person reads when a `pattern` is not met.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import orjson
from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators

from schedule_bridge.wire.times import InstantError, parse_instant

Validator = Any  # jsonschema's types leave out `descend`, which every keyword needs
Schema = dict[str, Any]
Errors = Iterator[ValidationError]

FORMATS: Final = FormatChecker(formats=())


@FORMATS.checks("date-time", raises=InstantError)
def _is_instant(value: object) -> bool:
    return not isinstance(value, str) or parse_instant(value) is not None


def _items(validator: Validator, items: Any, value: Any, schema: Schema) -> Errors:
    # A list that is too long is refused for that; looking at each of its items could take long.
    if not isinstance(value, list) or len(value) > schema.get("maxItems", len(value)):
        return
    for position, item in enumerate(value):
        yield from validator.descend(item, items, path=position)


def _unique_items(_validator: Validator, unique: Any, value: Any, _schema: Schema) -> Errors:
    # Lists without repeats hold text alone here, so a set finds a repeat in one pass.
    seen: set[str] = set()
    for position, item in enumerate(value if unique and isinstance(value, list) else ()):
        if not isinstance(item, str):
            continue
        if item in seen:
            yield ValidationError("repeated", instance=item, path=(position,))
        seen.add(item)


def _additional_properties(
    validator: Validator, allowed: Any, value: Any, schema: Schema
) -> Errors:
    if not isinstance(value, dict) or len(value) > schema.get("maxProperties", len(value)):
        return
    known = schema.get("properties", {})
    for name in [name for name in value if name not in known]:
        if allowed is False:
            yield ValidationError("unknown", instance=name, path=(name,))
        else:
            yield from validator.descend(value[name], allowed, path=name)


def _required(_validator: Validator, names: list[str], value: Any, _schema: Schema) -> Errors:
    if isinstance(value, dict) and not value.keys() >= set(names):
        yield ValidationError("missing")


def _pattern(_validator: Validator, pattern: str, value: Any, _schema: Schema) -> Errors:
    if isinstance(value, str) and not _compiled(pattern).search(value):
        yield ValidationError("pattern")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # Python's `$` also matches before a newline at the end; JSON Schema's does not.
    return re.compile(pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern)


def _max_bytes(_validator: Validator, limit: int, value: Any, _schema: Schema) -> Errors:
    if len(orjson.dumps(value)) > limit:
        yield ValidationError("too large")


BoundedValidator: Final[Validator] = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        "items": _items,
        "uniqueItems": _unique_items,
        "additionalProperties": _additional_properties,
        "required": _required,
        "pattern": _pattern,
        "x-maxBytes": _max_bytes,
    },
)
