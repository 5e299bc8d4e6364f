"""The OpenAPI 3.1 document, built from the table of routes and the schemas."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, Final

from schedule_bridge.api.answering import PROBLEM_JSON
from schedule_bridge.api.naming import KEY_HEADER, shape_of
from schedule_bridge.api.problems import (
    BadRequest,
    BodyTooLarge,
    ForbiddenHost,
    ForbiddenOrigin,
    InvalidBody,
    InvalidQuery,
    NotAcceptable,
    Problem,
    SlowBody,
    Unauthorized,
    Unexpected,
    UnreadableBody,
    UnsupportedMediaType,
)
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.wire.codec import Media
from schedule_bridge.wire.schemas import ID_PREFIX, documents

Json = dict[str, Any]

_EVERYWHERE: Final = (BadRequest, ForbiddenHost, ForbiddenOrigin, NotAcceptable, Unexpected)
_WITH_BODY: Final = (UnreadableBody, InvalidBody, SlowBody, BodyTooLarge, UnsupportedMediaType)
_COMPONENTS: Final = "#/components/schemas/"
_IDEMPOTENCY_KEY: Final[Json] = {
    "name": KEY_HEADER,
    "in": "header",
    "description": "The same key again gets the same answer.",
    "schema": {"$ref": _COMPONENTS + "common/$defs/idempotencyKey"},
}


def describe(routes: Iterable[Route], version: str) -> Json:
    """The OpenAPI 3.1 document of the routes, as plain values."""
    paths: defaultdict[str, Json] = defaultdict(dict)
    for route in routes:
        paths[route.path][route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.1",
        "info": {"title": "Schedule bridge", "version": version},
        "paths": dict(paths),
        "components": {
            "schemas": {name: _component(schema) for name, schema in documents().items()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(route: Route) -> Json:
    operation: Json = {
        "summary": route.summary,
        "parameters": _parameters(route),
        "responses": _responses(route),
        "security": [] if route.public else [{"token": []}],
    }
    if route.body is not None:
        required = not route.body_optional
        schema = _body_schema(route.body, route.filled)
        operation["requestBody"] = {"required": required, "content": _content(schema)}
    return operation


def _body_schema(name: str, filled: Collection[str]) -> Json:
    if not filled:
        return _named(name)
    schema: Json = _component(documents()[name])
    needed = [member for member in schema["required"] if member not in filled]
    return {**schema, "required": needed}


def _parameters(route: Route) -> list[Json]:
    in_path = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"$ref": f"{_COMPONENTS}common/$defs/{shape_of(name)}"},
        }
        for name in re.findall(r"{(\w+)}", route.path)
    ]
    in_query = [
        {"name": name, "in": "query", "schema": {"$ref": f"{_COMPONENTS}query/properties/{name}"}}
        for name in route.query
    ]
    return [*in_path, *in_query, *([_IDEMPOTENCY_KEY] if route.keyed else [])]


def _responses(route: Route) -> Json:
    refused: defaultdict[int, list[str]] = defaultdict(list)
    for problem in _problems_of(route):
        refused[problem.status].append(problem.title)
    answered = {str(status): _response(answer) for status, answer in route.answers.items()}
    return answered | {
        str(status): {
            "description": ". ".join(titles) + ".",
            "content": {PROBLEM_JSON: {"schema": {"$ref": _COMPONENTS + "problem"}}},
        }
        for status, titles in sorted(refused.items())
    }


def _problems_of(route: Route) -> Iterable[type[Problem]]:
    yield from _EVERYWHERE
    if not route.public:
        yield Unauthorized
    if route.body is not None:
        yield from _WITH_BODY
    if route.query:
        yield InvalidQuery
    yield from route.problems


def _response(answer: Answer) -> Json:
    content = {} if answer.schema is None else {"content": _content(_named(answer.schema))}
    return {"description": answer.description, **content}


def _content(schema: Json) -> Json:
    return {media.value: {"schema": schema} for media in Media}


def _named(schema: str) -> Json:
    return {"$ref": _COMPONENTS + schema}


def _component(node: Any) -> Any:
    """A schema whose references lead into the document; without `$id`, which would bend them."""
    if isinstance(node, list):
        return [_component(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _COMPONENTS + item.removeprefix(ID_PREFIX).replace("#/", "/")
        if key == "$ref"
        else _component(item)
        for key, item in node.items()
        if key != "$id"
    }
