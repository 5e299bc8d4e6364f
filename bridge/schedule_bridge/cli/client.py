"""The running bridge, asked over HTTP.

The standard library's connection is used as it is: one that minds `http_proxy` would hand the
token to a proxy.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import quote, urlencode, urlsplit

from schedule_bridge.cli.failures import AwayError, NotFoundError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

Json: TypeAlias = dict[str, Any]

_PATIENCE_SECONDS: Final = 10
_PAGE: Final = 1000
_HELP: Final = "Start it with `schedule-bridge serve`, or say where it is with --url."


@dataclass(slots=True, frozen=True)
class BridgeClient:
    """A bridge to ask; `urls` are several where several bridges share one store.

    Every call may raise AwayError (none of them answers) or RefusedError, whose sentence is the
    bridge's own.
    """

    urls: tuple[str, ...]
    token: str
    token_source: str

    def get(self, path: str, **query: object) -> Json:
        """What the bridge shows at the path; NotFoundError if there is nothing."""
        given = {name: value for name, value in query.items() if value is not None}
        return self._ask("GET", f"{path}?{urlencode(given)}" if given else path)

    def post(self, path: str, body: Json | None = None) -> Json:
        """What the bridge answers to a command."""
        return self._ask("POST", path, body)

    def pages(self, path: str, member: str, **query: object) -> Iterator[list[Json]]:
        """The lists of one page after the other."""
        cursor: str | None = None
        while True:
            page = self.get(path, limit=_PAGE, cursor=cursor, **query)
            yield page[member]
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    def _ask(self, method: str, target: str, said: Json | None = None) -> Json:
        status, body = self._first_answer(method, target, said)
        if status == 401:
            raise RefusedError(f"The bridge does not know the token from {self.token_source}.")
        try:
            answer = json.loads(body)
            if status < 400:
                return dict(answer)
            why = str(answer["detail"])
        except (ValueError, LookupError, TypeError):
            raise RefusedError(f"What answers at {' or '.join(self.urls)} is no bridge.") from None
        raise (NotFoundError if status == 404 else RefusedError)(why)

    def _first_answer(self, method: str, target: str, said: Json | None) -> tuple[int, bytes]:
        why = ""
        for url in self.urls:
            try:
                return self._exchange(url, method, target, said)
            except (OSError, HTTPException) as error:
                why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise AwayError(f"No bridge answers at {' or '.join(self.urls)} ({why}). {_HELP}")

    def _exchange(self, url: str, method: str, target: str, said: Json | None) -> tuple[int, bytes]:
        parts = urlsplit(url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=_PATIENCE_SECONDS)
        try:
            body = None if said is None else json.dumps(said)
            path = parts.path.rstrip("/") + target
            connection.request(method, path, body, self._headers_for(body))
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _headers_for(self, body: str | None) -> dict[str, str]:
        form = {} if body is None else {"Content-Type": "application/json"}
        return {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **form}


def path_of(*parts: str) -> str:
    """A path of the API; ids may hold any character."""
    return "/v1/" + "/".join(quote(part, safe="") for part in parts)
