"""What a person reads about a part of a body that a schema refuses."""

import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jsonschema import ValidationError

_KINDS: Final = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_LONGEST_SHOWN: Final = 40
_LONGEST_GUESSED: Final = 64


def sentence_for(error: ValidationError, whole: str) -> str:
    """One sentence: what the part is called, what it must be, and what it is instead."""
    return f"{_name_of(error, whole)} {SENTENCES[str(error.validator)](error)}"


def _name_of(error: ValidationError, whole: str) -> str:
    name = ""
    for part in error.absolute_path:
        name = f"{name}[{part}]" if isinstance(part, int) else _shorten(str(part))
    return name or whole


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def _shown(value: object) -> str:
    if value is None or isinstance(value, bool | int | float | str):
        short = _shorten(value) if isinstance(value, str) else value
        return json.dumps(short, ensure_ascii=False)
    return "a list" if isinstance(value, list) else "an object"


def _must_be(error: ValidationError) -> str:
    schema: Any = error.schema
    types = schema.get("type", ())
    kinds = " or ".join(_KINDS[kind] for kind in ([types] if isinstance(types, str) else types))
    bound = _bound(schema, too_high=error.validator == "maximum")
    return f"must be {kinds}{bound}, not {_shown(error.instance)}."


def _bound(schema: Mapping[str, Any], *, too_high: bool) -> str:
    if too_high:
        return f" of at most {schema['maximum']}"
    if "exclusiveMinimum" in schema:
        return f" of more than {schema['exclusiveMinimum']}"
    return f" of at least {schema['minimum']}" if "minimum" in schema else ""


def _must_be_one_of(error: ValidationError) -> str:
    words: Any = error.validator_value
    listed = ", ".join(_shown(word) for word in words)
    return f"must be one of {listed}, not {_shown(error.instance)}."


def _must_equal(error: ValidationError) -> str:
    return f"must be {_shown(error.validator_value)}, not {_shown(error.instance)}."


def _misses(error: ValidationError) -> str:
    instance: Any = error.instance
    required: Any = error.validator_value
    absent = [name for name in required if name not in instance]
    return f"has no {_listed(absent)}."


def _is_unknown(error: ValidationError) -> str:
    schema: Any = error.schema
    name = str(error.instance)
    known = list(schema.get("properties", ()))
    close = difflib.get_close_matches(name, known, n=1) if len(name) <= _LONGEST_GUESSED else []
    return "is not known here." + (f' Did you mean "{close[0]}"?' if close else "")


def _listed(names: Sequence[str]) -> str:
    return " and no ".join(f'"{name}"' for name in names)


def _length(at_what: str, of_what: str) -> Callable[[ValidationError], str]:
    def write(error: ValidationError) -> str:
        instance: Any = error.instance
        return f"must have {at_what} {error.validator_value} {of_what}, not {len(instance)}."

    return write


def _misses_pattern(error: ValidationError) -> str:
    schema: Any = error.schema
    return f"{schema['x-sentence']}."


def _is_no_instant(error: ValidationError) -> str:
    shown = _shown(error.instance)
    return f"must be an instant such as 2026-01-01T00:00:00Z, not {shown}."


def _is_repeated(error: ValidationError) -> str:
    return f"repeats {_shown(error.instance)}."


def _is_too_large(error: ValidationError) -> str:
    return f"must take up at most {error.validator_value} bytes."


def _must_not_be_empty(_error: ValidationError) -> str:
    return "must not be empty."


SENTENCES: Final[Mapping[str, Callable[[ValidationError], str]]] = {
    "type": _must_be,
    "minimum": _must_be,
    "maximum": _must_be,
    "exclusiveMinimum": _must_be,
    "enum": _must_be_one_of,
    "const": _must_equal,
    "required": _misses,
    "additionalProperties": _is_unknown,
    "maxLength": _length("at most", "characters"),
    "minLength": _must_not_be_empty,
    "maxItems": _length("at most", "items"),
    "minItems": _must_not_be_empty,
    "maxProperties": _length("at most", "members"),
    "pattern": _misses_pattern,
    "format": _is_no_instant,
    "uniqueItems": _is_repeated,
    "x-maxBytes": _is_too_large,
}
"""What is said of each keyword that can be violated; the schemas use no other."""
