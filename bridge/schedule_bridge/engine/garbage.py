"""Keeps Python's collector of garbage from searching what was read from the store."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


_NEW_OBJECTS = 10_000
_SEARCHES_OF_NEW = 5
_SEARCHES_OF_NEWER = 400


def search_seldom() -> None:
    """A search for garbage stops the loop, and what a burst of ticks makes is nearly all kept.

    By default 10,000 starts have all that has been made searched twice, for 40 ms each.
    """
    gc.set_threshold(_NEW_OBJECTS, _SEARCHES_OF_NEW, _SEARCHES_OF_NEWER)


@contextmanager
def made_to_stay() -> Iterator[None]:
    """What is made within is not garbage: searching it again and again takes longer than making it.

    The collector leaves it alone from then on, until `let_go`.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
    gc.freeze()


def let_go() -> None:
    """Something of what was made to stay is not wanted any more."""
    gc.unfreeze()
