"""A request that decides something, as its route sees it: the same whichever way it came in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from schedule_bridge.api.naming import Headed, path_id
from schedule_bridge.api.negotiation import answer, read_body

if TYPE_CHECKING:
    from aiohttp import web
    from aiohttp.typedefs import Handler

    from schedule_bridge.engine import Engine


class Asked(Headed, Protocol):
    """What a route that decides looks at."""

    @property
    def target(self) -> str:
        """The id that the path holds."""
        ...

    async def body(self, schema: str, *, optional: bool = False) -> dict[str, Any]:
        """The body as a valid object of that schema; `{}` if it is optional and absent.

        Raises a Problem as `read_body` does.
        """
        ...


Decide: TypeAlias = Callable[[Asked], Awaitable[dict[str, Any]]]
"""Decides what was asked; what it returns is the answer, what it refuses it raises."""


class AskedWhole(Headed, Protocol):
    """What a route that decides at once looks at."""

    @property
    def target(self) -> str:
        """The id that the path holds."""
        ...

    def read(self, schema: str, *, optional: bool = False) -> dict[str, Any]:
        """As `body` of what was asked, which is all here."""
        ...


AtOnce: TypeAlias = tuple["Engine", Callable[[], dict[str, Any]]]
"""Who decides, and what does it: what that returns may be told once the engine has it durable."""
DecideNow: TypeAlias = Callable[[AskedWhole], AtOnce | None]
"""As `Decide`, without a wait; None where one is needed."""


def needs_a_wait(_asked: AskedWhole) -> None:
    """Nothing of it can be decided at once."""


AtHand: TypeAlias = Callable[[str], bool]
"""Whether it is clear at once that this bridge decides about the thing of that id."""


def always(_target: str) -> bool:
    """This bridge decides about everything."""
    return True


def never(_target: str) -> bool:
    """It has to be asked for."""
    return False


class _AskedOfAiohttp:
    """What was asked by a request of aiohttp."""

    def __init__(self, request: web.Request, target: str) -> None:
        self.target = target
        self.path = request.path
        self.headers = request.headers
        self._request = request

    async def body(self, schema: str, *, optional: bool = False) -> dict[str, Any]:
        return await read_body(self._request, schema, optional=optional)


def handler_of(decide: Decide, name: str) -> Handler:
    """The handler that decides what is asked of the `name` in the path."""

    async def handle(request: web.Request) -> web.Response:
        asked = _AskedOfAiohttp(request, path_id(request, name))
        return answer(request, await decide(asked))

    return handle
