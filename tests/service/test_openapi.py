"""The OpenAPI document: every route, every schema, every reference."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from schedule_bridge.api.openapi import describe
from schedule_bridge.wire.schemas import documents
from service.edge import ROUTES

DOCUMENT = describe(ROUTES, "1.2.3")


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for part in node.values():
            yield from references(part)
    elif isinstance(node, list):
        for part in node:
            yield from references(part)


def test_every_route_is_described() -> None:
    described = {
        (method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item
    }
    assert described == {(route.method, route.path) for route in ROUTES}
    assert (DOCUMENT["openapi"], DOCUMENT["info"]["version"]) == ("3.1.1", "1.2.3")


def test_every_schema_is_a_component() -> None:
    components = DOCUMENT["components"]["schemas"]
    assert components.keys() == documents().keys()
    for component in components.values():
        Draft202012Validator.check_schema(component)
        assert "$id" not in component


def test_every_reference_leads_somewhere() -> None:
    for reference in set(references(DOCUMENT)):
        node = DOCUMENT
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]
        assert node, reference


def test_a_component_validates_within_the_document() -> None:
    root = {**DOCUMENT, "$ref": "#/components/schemas/trigger"}
    validator = Draft202012Validator(root)
    assert validator.is_valid({"triggerId": "t", "schedule": {"kind": "interval", "every": 5}})
    assert not validator.is_valid({"triggerId": "t", "schedule": {"kind": "interval"}})


def test_bodies_come_in_both_forms_and_say_whether_they_are_required() -> None:
    body = DOCUMENT["paths"]["/v1/echo"]["post"]["requestBody"]
    assert body["required"]
    assert body["content"].keys() == {"application/json", "application/msgpack"}
    assert not DOCUMENT["paths"]["/v1/optional"]["post"]["requestBody"]["required"]


def test_a_body_need_not_repeat_what_the_path_names() -> None:
    put = replace(ROUTES[1], path="/v1/x/{triggerId}", body="trigger", filled=("triggerId",))
    body = describe([put], "1")["paths"]["/v1/x/{triggerId}"]["post"]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    assert "triggerId" in schema["properties"]
    assert schema["required"] == []


@pytest.mark.parametrize(
    ("path", "method", "statuses"),
    [
        ("/healthz", "get", {"200", "400", "403", "406", "500"}),
        ("/v1/things/{thingId}", "get", {"201", "400", "401", "403", "404", "406", "500"}),
        (
            "/v1/echo",
            "post",
            {"200", "400", "401", "403", "406", "408", "413", "415", "500"},
        ),
    ],
)
def test_every_status_is_described(path: str, method: str, statuses: set[str]) -> None:
    assert DOCUMENT["paths"][path][method]["responses"].keys() == statuses


def test_parameters_come_from_the_path_the_query_and_the_key() -> None:
    def named(path: str, method: str) -> list[tuple[str, str]]:
        parameters = DOCUMENT["paths"][path][method]["parameters"]
        return [(parameter["in"], parameter["name"]) for parameter in parameters]

    assert named("/v1/things/{thingId}", "get") == [("path", "thingId")]
    assert named("/v1/list", "get") == [
        ("query", "triggerId"),
        ("query", "limit"),
        ("query", "since"),
    ]
    assert named("/v1/optional", "post") == [("header", "Idempotency-Key")]


def test_health_alone_is_open() -> None:
    assert DOCUMENT["paths"]["/healthz"]["get"]["security"] == []
    assert DOCUMENT["paths"]["/v1/echo"]["post"]["security"] == [{"token": []}]
