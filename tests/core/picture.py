"""A whole world as plain nested data, so that two of its moments can be compared."""

from __future__ import annotations

from typing import Any


def picture(thing: object) -> Any:
    """All that can be reached from `thing`, in order; what was met before only by its number."""
    return _picture(thing, {})


def _picture(thing: object, met: dict[int, int]) -> Any:
    if thing is None or isinstance(thing, str | int | float):
        return thing
    if id(thing) in met:
        return f"met {met[id(thing)]}"
    met[id(thing)] = len(met)
    if isinstance(thing, dict):
        return [(_picture(key, met), _picture(value, met)) for key, value in thing.items()]
    if isinstance(thing, list | tuple):
        return [_picture(item, met) for item in thing]
    if isinstance(thing, set):
        return sorted(map(repr, thing))
    return (type(thing).__name__, [(name, _picture(value, met)) for name, value in _parts(thing)])


def _parts(thing: object) -> list[tuple[str, Any]]:
    slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    return [(name, getattr(thing, name)) for name in (*slots, *getattr(thing, "__dict__", ()))]
