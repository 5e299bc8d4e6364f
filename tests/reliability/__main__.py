"""`python -m tests.reliability SECTION TITLE KEY=VALUE ...`: for harnesses in JavaScript."""

from __future__ import annotations

import sys

from .record import record


def _figure(value: str) -> int | str:
    return int(value) if value.lstrip("-").isdecimal() else value


def main(section: str, title: str, *figures: str) -> None:
    """Keeps the figures that the words say; whole numbers as numbers."""
    pairs = (figure.partition("=") for figure in figures)
    record(section, title, {key: _figure(value) for key, _, value in pairs})


if __name__ == "__main__":
    main(*sys.argv[1:])
