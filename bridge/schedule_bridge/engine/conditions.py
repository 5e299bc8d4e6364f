"""A user's condition on an event's payload, judged with a bound on the work that it may cost."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jsonschema import Draft202012Validator, validators

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Keyword: TypeAlias = Callable[[Any, Any, Any, Any], Iterable[Any] | None]

MOST_STEPS: Final = 200_000
"""A second or two of work; a condition of 16 KiB on a payload of 1 MiB could take an hour."""


class TooCostlyError(Exception):
    """The condition would take too long to judge on this payload."""


@dataclass(slots=True)
class _Budget:
    left: int


_budget: ContextVar[_Budget] = ContextVar("budget")


def _bounded(keyword: Keyword) -> Keyword:
    def check(validator: Any, wanted: Any, value: Any, schema: Any) -> Iterable[Any] | None:
        budget = _budget.get()
        budget.left -= 1 + _breadth(wanted) + _breadth(value)
        if budget.left < 0:
            raise TooCostlyError(f"More than {MOST_STEPS} steps.")
        return keyword(validator, wanted, value, schema)

    return check


def _breadth(walked: object) -> int:
    return len(walked) if isinstance(walked, list | dict) else 0


_Bounded: Final = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {name: _bounded(keyword) for name, keyword in Draft202012Validator.VALIDATORS.items()},
)


class Condition:
    """A `where` that its schema has let through: no references, no regular expressions."""

    def __init__(self, where: Mapping[str, object] | bool) -> None:
        self._validator = _Bounded(where)

    def accepts(self, payload: object) -> bool:
        """Whether the payload is valid by the condition.

        Raises:
            TooCostlyError: it would take too long to say.
        """
        _budget.set(_Budget(MOST_STEPS))
        return bool(self._validator.is_valid(payload))
