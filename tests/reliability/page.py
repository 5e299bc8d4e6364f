"""The figures as a page for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypedDict

from .sections import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Figures: TypeAlias = dict[str, int | str]


class Run(TypedDict):
    """One recorded run."""

    measured: str
    figures: Figures


Recorded: TypeAlias = dict[str, dict[str, Run]]
"""Runs by section and title."""

_INTRODUCTION = """\
# Reliability, measured

The bridge promises that no accepted firing is lost, that no run is started twice and that nothing
stays locked, wherever it is interrupted. These are figures from the runs that try to break the
promise. The harnesses write them, nobody edits this page; every run prints the seed that repeats
it. Short forms of them are part of `npm test`.
"""


def page(recorded: Recorded) -> str:
    """All sections as Markdown, in the order of `SECTIONS`."""
    parts = [_section(name, recorded[name]) for name in SECTIONS if name in recorded]
    return "\n".join([_INTRODUCTION, *parts])


def _section(name: str, runs: Mapping[str, Run]) -> str:
    section = SECTIONS[name]
    again = f"Measure it again: `{section.command}`"
    lines = [f"## {section.heading}", "", section.meaning, "", again, ""]
    for title, run in runs.items():
        lines += [f"### {title}", "", f"Measured on {run['measured']}.", ""]
        lines += [*_table(run["figures"]), ""]
    return "\n".join(lines)


def _table(figures: Figures) -> Iterator[str]:
    yield "| what | figure |"
    yield "| --- | ---: |"
    for what, figure in figures.items():
        yield f"| {what} | {figure:,} |" if isinstance(figure, int) else f"| {what} | {figure} |"
