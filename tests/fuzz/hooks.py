"""What Schemathesis is told of this API: MessagePack, and the ids that the bridge has given out.

Schemathesis loads it by name (SCHEMATHESIS_HOOKS). Without known ids nearly every request on an
execution or a job would end as 404, before any rule is asked.
"""

from __future__ import annotations

import random
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgpack  # type: ignore[import-untyped]  # it carries no types
import schemathesis
from schemathesis.core.parameters import ParameterLocation

from fuzz.known import TRIGGERS

if TYPE_CHECKING:
    from collections.abc import Iterator

_KNOWN_AT_MOST = 2 * len(TRIGGERS)
_USED = 0.7
"""How often a known id stands in for a made-up one."""

_known: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=_KNOWN_AT_MOST))
_known["triggerId"].extend(TRIGGERS)
_chance = random.Random(1)  # noqa: S311 - no secret


@schemathesis.serializer("application/msgpack")
def pack(_context: object, value: Any) -> bytes:
    """A body that was made from a schema; what JSON alone can carry is sent as the next best."""
    packed: bytes = msgpack.packb(_within(value), datetime=True, unicode_errors="replace")
    return packed


def _within(value: Any) -> Any:
    """The value with floats in place of the integers that MessagePack has no room for."""
    match value:
        case dict():
            return {name: _within(part) for name, part in value.items()}
        case list():
            return [_within(part) for part in value]
        case int() if not -(2**63) <= value < 2**64:
            return float(min(max(value, -(10**300)), 10**300))
        case _:
            return value


@schemathesis.deserializer("application/msgpack")
def unpack(_context: object, response: Any) -> Any:
    """An answer, as its schema sees it."""
    return msgpack.unpackb(response.content, timestamp=3)


@schemathesis.hook
def after_call(_context: object, _case: object, response: Any) -> None:
    """Remembers the ids in an answer."""
    if response.status_code < 300 and "json" in response.headers.get("content-type", [""])[0]:
        for name, value in _ids_in(response.json()):
            _known[name].append(value)


@schemathesis.hook
def before_call(_context: object, case: schemathesis.Case[Any], _kwargs: object) -> None:
    """Puts known ids in place of made-up ones, often but not always; bad ones stay."""
    if not _is_good(case, ParameterLocation.PATH):
        return
    for name in list(case.path_parameters):
        if not _known[name] or _chance.random() > _USED:
            continue
        value = _chance.choice(_known[name])
        case.path_parameters[name] = quote(value, safe="")
        if _is_good(case, ParameterLocation.BODY) and isinstance(case.body, dict):
            case.body |= {name: value} if name in case.body else {}


def _is_good(case: schemathesis.Case[Any], part: ParameterLocation) -> bool:
    component = case.meta.components.get(part) if case.meta else None
    return component is not None and component.mode is schemathesis.GenerationMode.POSITIVE


def _ids_in(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for item in value:
            yield from _ids_in(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name.endswith("Id") and isinstance(item, str):
                yield name, item
            else:
                yield from _ids_in(item)
