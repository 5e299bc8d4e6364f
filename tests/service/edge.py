"""A bridge's edge on a real socket, with a few routes that stand for what lies behind it."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import ClientSession, web

from schedule_bridge.api.guard import Guard
from schedule_bridge.api.limits import Limits
from schedule_bridge.api.negotiation import answer, read_body
from schedule_bridge.api.problems import Problem
from schedule_bridge.api.query import read_query
from schedule_bridge.api.route import Answer, Route
from schedule_bridge.api.server import make_application, serve

TOKEN = "token-of-the-tests-with-32-or-more-characters"  # noqa: S105
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}
LOGGED = "a sentence that only the log may hold"


class UnknownThing(Problem):
    status = 404
    code = "unknown-thing"
    title = "There is no such thing"


async def _health(request: web.Request) -> web.Response:
    return answer(request, {"status": "ok"})


async def _echo(request: web.Request) -> web.Response:
    return answer(request, await read_body(request, "fire"))


async def _optional(request: web.Request) -> web.Response:
    return answer(request, await read_body(request, "fire", optional=True))


async def _thing(request: web.Request) -> web.Response:
    name = request.match_info["thingId"]
    if name == "absent":
        raise UnknownThing(f'There is no thing "{name}".')
    return answer(request, {"thingId": name}, status=201)


async def _list(request: web.Request) -> web.Response:
    return answer(request, read_query(request, ("triggerId", "limit", "since")))


async def _broken(_request: web.Request) -> web.Response:
    raise RuntimeError(LOGGED)


async def _stream(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    if "fail" in request.query:
        raise RuntimeError(LOGGED)
    await socket.close()
    return socket


ROUTES = (
    Route("GET", "/healthz", _health, "Lives", {200: Answer("Yes", "health")}, public=True),
    Route("POST", "/v1/echo", _echo, "Echoes", {200: Answer("The same", "fire")}, body="fire"),
    Route(
        "POST",
        "/v1/optional",
        _optional,
        "Echoes what there is",
        {200: Answer("The same", "fire")},
        body="fire",
        body_optional=True,
        keyed=True,
    ),
    Route(
        "GET",
        "/v1/things/{thingId}",
        _thing,
        "Shows a thing",
        {201: Answer("The thing", "trigger")},
        problems=(UnknownThing,),
    ),
    Route(
        "GET",
        "/v1/list",
        _list,
        "Lists",
        {200: Answer("A page", "triggers")},
        query=("triggerId", "limit", "since"),
    ),
    Route("GET", "/v1/broken", _broken, "Fails", {200: Answer("Never")}),
    Route("GET", "/v1/stream", _stream, "Streams", {101: Answer("A WebSocket")}),
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def problem(self) -> str:
        """The last word of the problem's type."""
        return str(self.json()["type"]).removeprefix("urn:schedule-bridge:problem:")


class Edge:
    """A client of the edge: whole requests, or bytes as they are."""

    def __init__(self, port: int, session: ClientSession) -> None:
        self.port = port
        self.session = session

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def call(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> Reply:
        """A request with the token; header names are given with `_` for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        async with self.session.request(
            method, self.base + path, data=body, headers={**AUTHORIZED, **named}
        ) as response:
            return Reply(response.status, dict(response.headers), await response.read())

    async def post(self, body: bytes, content_type: str = "application/json", **more: str) -> Reply:
        return await self.call("POST", "/v1/echo", body, Content_Type=content_type, **more)

    async def raw(self, data: bytes, then: bytes = b"") -> bytes:
        """Everything that the bridge sends until it closes the connection.

        `then` is sent once the bridge has said that it waits for it (100 Continue).
        """
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(data)
            if then:
                await reader.readuntil(b"100 Continue\r\n\r\n")
                writer.write(then)
            return await reader.read()
        finally:
            writer.close()

    async def hang_up_after(self, data: bytes) -> None:
        """Sends the bytes and goes away."""
        _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(data)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    def authorized(self, first_line: str, *lines: str) -> bytes:
        """The head of a request that passes the guard."""
        host = f"Host: 127.0.0.1:{self.port}"
        form = "Content-Type: application/json"
        return self.head(first_line, host, form, f"Authorization: Bearer {TOKEN}", *lines)

    def head(self, first_line: str, *lines: str) -> bytes:
        """A request without a body, of which the bridge closes the connection."""
        return "\r\n".join((first_line, "Connection: close", *lines, "", "")).encode()


@asynccontextmanager
async def running(
    guard: Guard | None = None, limits: Limits | None = None, port: int = 0
) -> AsyncIterator[Edge]:
    """An edge that listens on a free port, if on no other."""
    app = make_application(guard or Guard(TOKEN), ROUTES, limits or Limits())
    runner = await serve(app, "127.0.0.1", port)
    try:
        async with ClientSession() as session:
            yield Edge(runner.addresses[0][1], session)
    finally:
        await runner.cleanup()
