"""Query parameters: the ones that a route takes, by `schemas/query.json`."""

from collections.abc import Collection
from typing import Any

from aiohttp import web

from schedule_bridge.api.problems import InvalidQuery
from schedule_bridge.wire.faults import Fault, pointer_to
from schedule_bridge.wire.schemas import documents, validate


def read_query(request: web.Request, names: Collection[str]) -> dict[str, Any]:
    """The parameters that were given, whole numbers as such; else InvalidQuery.

    A parameter that the route does not take is refused rather than ignored: a misspelt filter
    would otherwise answer with everything.
    """
    given = request.query
    faults = [
        Fault(pointer_to((name,)), f"{name} is not taken here, or given twice.")
        for name in dict.fromkeys(given)
        if name not in names or len(given.getall(name)) > 1
    ]
    values = {name: _typed(name, given[name]) for name in names if name in given}
    faults = faults or validate("query", values)
    if faults:
        raise InvalidQuery(faults[0].message, faults=faults)
    return values


def numeric_cursor(query: dict[str, Any]) -> int | None:
    """The number in the `cursor` of a page that counts rows; None for the first page."""
    cursor = query.get("cursor")
    if cursor is None:
        return None
    number = _whole(cursor)
    if number is None:
        raise InvalidQuery("cursor must be the nextCursor of the page before.")
    return number


def _typed(name: str, text: str) -> str | int:
    whole = documents()["query"]["properties"][name].get("type") == "integer"
    number = _whole(text) if whole else None
    return text if number is None else number


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else None
