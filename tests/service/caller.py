"""A client of the API that trusts nothing: every answer must be documented, and valid."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import msgpack  # type: ignore[import-untyped]  # it carries no types

from schedule_bridge.wire.schemas import validate
from service.edge import AUTHORIZED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import ClientSession

Json: TypeAlias = Any
JSON = "application/json"
MSGPACK = "application/msgpack"
_COMPONENTS = "#/components/schemas/"
_SENTENCE = re.compile(r'.*[.?]"?', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Called:
    """What came back, decoded."""

    status: int
    headers: Mapping[str, str]
    value: Json

    @property
    def problem(self) -> str:
        """The last word of the problem's type."""
        return str(self.value["type"]).removeprefix("urn:schedule-bridge:problem:")


class Caller:
    """Calls routes by method and path; `media` is the form of both bodies."""

    authorized: Mapping[str, str] = AUTHORIZED

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.base = ""
        self.document: Json = None

    async def call(
        self,
        method: str,
        path: str,
        body: Json = None,
        *,
        media: str = JSON,
        key: str | None = None,
        raw: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Called:
        """One request; `raw` is sent as it is in place of a body."""
        data = raw if raw is not None else _encode(media, body)
        sent = {"Accept": media, **self.authorized}
        if data is not None:
            sent["Content-Type"] = media
        if key is not None:
            sent["Idempotency-Key"] = key
        async with self.session.request(
            method, self.base + path, data=data, headers={**sent, **(headers or {})}
        ) as response:
            content = await response.read()
            value = _decode(response.content_type, content) if content else None
            called = Called(response.status, dict(response.headers), value)
        self._check(method, path, called)
        return called

    async def _read_document(self) -> Json:
        async with self.session.get(
            f"{self.base}/openapi.json", headers=self.authorized
        ) as response:
            return await response.json()

    def _check(self, method: str, path: str, called: Called) -> None:
        if called.status >= 400:
            _check_problem(called)
        operation = self._operation(method, path.partition("?")[0])
        if operation is None:
            assert called.status in (400, 401, 403, 404, 405)
            return
        documented = operation["responses"]
        assert str(called.status) in documented, f"{method} {path}: {called}"
        content = documented[str(called.status)].get("content", {})
        if called.status < 400 and content:
            reference = content[JSON]["schema"]["$ref"].removeprefix(_COMPONENTS)
            faults = validate(reference, called.value)
            assert faults == []

    def _operation(self, method: str, path: str) -> Json:
        for template, item in self.document["paths"].items():
            pattern = re.sub(r"{\w+}", "[^/]+", template)
            if re.fullmatch(pattern, path):
                return item.get(method.lower())
        return None


def _check_problem(called: Called) -> None:
    assert called.status < 500 or called.status == 503, called
    assert validate("problem", called.value) == []
    assert called.value["status"] == called.status
    assert _SENTENCE.fullmatch(called.value["detail"]), called.value


def _encode(media: str, body: Json) -> bytes | None:
    if body is None:
        return None
    if media == MSGPACK:
        packed: bytes = msgpack.packb(body, datetime=True)
        return packed
    return json.dumps(body).encode()


def _decode(media: str, content: bytes) -> Json:
    return msgpack.unpackb(content, timestamp=3) if media == MSGPACK else json.loads(content)
