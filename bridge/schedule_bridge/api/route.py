"""The table of routes: one entry says how a route is served and how it is described."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from aiohttp import web
from aiohttp.typedefs import Handler

from schedule_bridge.api.asking import AtHand, Decide, DecideNow, always, handler_of, needs_a_wait
from schedule_bridge.api.problems import Problem


@dataclass(frozen=True, slots=True)
class Answer:
    """What a route answers with: a description and the name of a schema, if it has a body."""

    description: str
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """One route.

    `answers` maps a status to an Answer, `body` names the schema of the request, `filled` those of
    its members that the path names already, so that it may leave them out, `query` the parameters
    of `schemas/query.json` that it takes, `problems` what it refuses beside what any route does.
    `keyed` says that it honours an Idempotency-Key, `public` that it needs no token; with `decide`
    it can be reached on the short way (`express`), where `at_hand` says of what the path names that
    this bridge decides about it, and `decide_now` needs no wait.
    """

    method: str
    path: str
    handler: Handler
    summary: str
    answers: Mapping[int, Answer]
    body: str | None = None
    body_optional: bool = False
    filled: tuple[str, ...] = field(default=())
    query: tuple[str, ...] = field(default=())
    problems: tuple[type[Problem], ...] = field(default=())
    keyed: bool = False
    public: bool = False
    decide: Decide | None = None
    decide_now: DecideNow = needs_a_wait
    at_hand: AtHand = always


def deciding(
    path: str,
    decide: Decide,
    summary: str,
    answered: Answer,
    *,
    body: str | None = None,
    body_optional: bool = False,
    problems: tuple[type[Problem], ...],
) -> Route:
    """The route of a POST that decides about the one thing that its path names."""
    name = path[path.index("{") + 1 : path.index("}")]
    return Route(
        "POST",
        path,
        handler_of(decide, name),
        summary,
        {200: answered},
        body=body,
        body_optional=body_optional,
        problems=problems,
        keyed=True,
        decide=decide,
    )


def at_once(route: Route, decide_now: DecideNow) -> Route:
    """The same route, which can decide without a wait where all is at hand."""
    return replace(route, decide_now=decide_now)


def register(app: web.Application, routes: Iterable[Route]) -> None:
    """Adds the handlers to the application, those first that change something.

    They are tried one after the other, and runs make far more requests than people who look.
    """
    for route in sorted(routes, key=lambda each: (each.method != "POST", each.path)):
        app.router.add_route(route.method, route.path, route.handler)
