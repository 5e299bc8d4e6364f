"""The schemas of the wire format, each compiled once."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from jsonschema import validators

from schedule_bridge.wire.faults import MAX_FAULTS, Fault, pointer_to
from schedule_bridge.wire.keywords import FORMATS, BoundedValidator, Errors, Schema, Validator
from schedule_bridge.wire.quick import Judge, quick_judges
from schedule_bridge.wire.sentences import sentence_for

ID_PREFIX: Final = "schedule-bridge:"


def validate(name: str, value: object, *, whole: str = "The body") -> list[Fault]:
    """What is wrong with the value by the schema of that name: nothing, or up to 20 faults.

    `whole` is what a person calls the value itself. An unknown name is a mistake of the caller
    and raises KeyError.
    """
    return [] if _quick(ID_PREFIX + name)(value) else explain(name, value, whole=whole)


def explain(name: str, value: object, *, whole: str = "The body") -> list[Fault]:
    """The same, the slow way: jsonschema decides, and says what is wrong."""
    errors = islice(_compiled(ID_PREFIX + name).iter_errors(value), MAX_FAULTS)
    return [
        Fault(pointer_to(tuple(error.absolute_path)), sentence_for(error, whole))
        for error in errors
    ]


@cache
def documents() -> Mapping[str, Mapping[str, Any]]:
    """Every schema as its file has it, but for `$schema`, by its name without the prefix."""
    return MappingProxyType({path.stem: _read(path) for path in sorted(_folder().glob("*.json"))})


@cache
def _quick(reference: str) -> Judge:
    _compiled(reference)  # which knows whether there is one
    return _judges()(reference)


@cache
def _judges() -> Callable[[str], Judge]:
    return quick_judges(documents())


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_bytes())
    # With it, jsonschema would go on with its own validator at every reference.
    del document["$schema"]
    return document


def _folder() -> Path:
    """Inside the package once installed, at the root of the repository before."""
    packaged = Path(__file__).parents[1] / "schemas"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "schemas"


def _follow(_validator: Validator, reference: str, value: Any, _schema: Schema) -> Errors:
    # References are absolute in these files, so each is compiled once for good: several times
    # faster than resolving it anew at every value.
    yield from _compiled(reference).iter_errors(value)


_Validator: Final[Validator] = validators.extend(  # type: ignore[no-untyped-call]
    BoundedValidator, {"$ref": _follow}
)


@cache
def _compiled(reference: str) -> Validator:
    """The validator of a reference such as `schedule-bridge:common#/$defs/id`."""
    name, _, fragment = reference.removeprefix(ID_PREFIX).partition("#")
    schema: Any = documents()[name]
    for part in fragment.split("/")[1:]:
        schema = schema[part]
    return _Validator(schema, format_checker=FORMATS)
