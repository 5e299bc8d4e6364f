"""What every file in schemas/ must hold to: valid, resolvable, bounded, closed."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from schedule_bridge.wire.sentences import SENTENCES

FOLDER = Path(__file__).parents[2] / "schemas"
FILES = {path.stem: json.loads(path.read_bytes()) for path in sorted(FOLDER.glob("*.json"))}
# An `if` is left out: it only asks of which kind an object is.
APPLICATORS = ("items", "then", "else", "additionalProperties", "propertyNames")
MAPS = ("properties", "$defs")


def subschemas(schema: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each schema within a schema, with its place; values such as those of `enum` are none."""
    if not isinstance(schema, dict):
        return
    yield place, schema
    for keyword in MAPS:
        for name, part in schema.get(keyword, {}).items():
            yield from subschemas(part, f"{place}/{keyword}/{name}")
    for keyword in APPLICATORS:
        yield from subschemas(schema.get(keyword), f"{place}/{keyword}")
    for position, part in enumerate(schema.get("allOf", ())):
        yield from subschemas(part, f"{place}/allOf/{position}")


EVERY = [each for name, document in FILES.items() for each in subschemas(document, name)]


def places_that(fail: Callable[[dict[str, Any]], bool]) -> list[str]:
    return [place for place, schema in EVERY if fail(schema)]


def types_of(schema: dict[str, Any]) -> set[str]:
    types = schema.get("type", ())
    return {types} if isinstance(types, str) else set(types)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_a_schema_named_after_itself(name: str) -> None:
    document = FILES[name]
    Draft202012Validator.check_schema(document)
    assert document["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert document["$id"] == f"schedule-bridge:{name}"
    assert document["title"]
    assert document["description"]


def test_references_are_absolute_and_lead_somewhere() -> None:
    def leads_nowhere(schema: dict[str, Any]) -> bool:
        match = re.fullmatch(r"schedule-bridge:([a-z-]+)(?:#/\$defs/(\w+))?", schema["$ref"])
        name, part = match.groups() if match else ("", None)
        return name not in FILES or (part is not None and part not in FILES[name]["$defs"])

    assert places_that(lambda schema: "$ref" in schema and leads_nowhere(schema)) == []


def test_lists_and_texts_are_bounded() -> None:
    def is_unbounded(schema: dict[str, Any]) -> bool:
        types = types_of(schema)
        unbounded_list = "array" in types and "maxItems" not in schema
        return unbounded_list or ("string" in types and "maxLength" not in schema)

    assert places_that(is_unbounded) == []


def test_objects_are_closed_or_say_that_they_are_open() -> None:
    def is_open(schema: dict[str, Any]) -> bool:
        told_apart = bool(schema.get("allOf")) and all("then" in case for case in schema["allOf"])
        a_map = isinstance(schema.get("additionalProperties"), dict) and "maxProperties" in schema
        closed = schema.get("additionalProperties") is False
        return not (closed or a_map or told_apart or schema["description"].startswith("Open"))

    assert places_that(lambda schema: "object" in types_of(schema) and is_open(schema)) == []


def test_lists_without_repeats_hold_text() -> None:
    def holds_more(schema: dict[str, Any]) -> bool:
        name, part = schema["items"]["$ref"].removeprefix("schedule-bridge:").split("#/$defs/")
        return types_of(FILES[name]["$defs"][part]) != {"string"}

    assert places_that(lambda schema: "uniqueItems" in schema and holds_more(schema)) == []


def test_patterns_are_linear_and_put_in_words() -> None:
    def is_dark(schema: dict[str, Any]) -> bool:
        linear = re.fullmatch(r"\^\[[^\[\]]+\][*+]\$", schema["pattern"])
        return linear is None or not schema.get("x-sentence")

    assert places_that(lambda schema: "pattern" in schema and is_dark(schema)) == []


def test_every_keyword_that_can_be_violated_is_put_in_words() -> None:
    silent = {"title", "description", "x-sentence", "$schema", "$id", "$ref", "$defs"}
    known = SENTENCES.keys() | silent | {"properties", "allOf", *APPLICATORS, "if"}
    assert places_that(lambda schema: not schema.keys() <= known) == []


def test_no_default_is_filled_in() -> None:
    assert places_that(lambda schema: "default" in schema) == []
