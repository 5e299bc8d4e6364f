"""Lock keys rendered out of an event's payload (R27)."""

from __future__ import annotations

import re

from schedule_bridge.core.model import LockKey

LONGEST_KEY = 512
_WHOLE_BELOW = 1e21
_FIELD = re.compile(r"\{([^{}]*)\}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class FieldMissingError(Exception):
    """The payload lacks a field of the template, or what it holds is no part of a key."""


def render_lock_key(template: str, payload: object) -> LockKey:
    """The key that a template such as `{repo}:issue:{issue.number}` makes of a payload.

    A dot goes one level down. Text, numbers and booleans may be part of a key.

    Raises:
        FieldMissingError: a field is missing or null, is neither of these, or makes a key that is
            too long or has control characters.
    """
    rendered = _FIELD.sub(lambda match: _text(_field(match[1], payload)), template)
    if len(rendered) > LONGEST_KEY or _CONTROL.search(rendered):
        raise FieldMissingError(template)
    return LockKey(rendered)


def _field(path: str, payload: object) -> object:
    value = payload
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            raise FieldMissingError(path)
        value = value[name]
    return value


def _text(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case int():
            return str(value)
        case float():
            return _number(value)
        case _:
            raise FieldMissingError(str(type(value)))


def _number(value: float) -> str:
    """Numbers that are the same make the same key, whichever way they were written."""
    return str(int(value)) if value.is_integer() and abs(value) < _WHOLE_BELOW else repr(value)
