"""The figures as a page for people: docs/performance.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.measures import ROWS
from bench.said import LIMITS, NOT_MET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.row import Row

_INTRODUCTION = """\
# Performance, measured

Ours and others side by side, in the same run, on the same machine, taking turns; medians over
several rounds. Absolute times vary from machine to machine, so every target is a ratio within one
run. `npm run bench -- --record` writes this page, nobody edits it.
"""
_TABLE = """\
| what | against | ours | theirs | ratio | target | |
| --- | --- | ---: | ---: | ---: | --- | --- |"""
_REPEAT = """\
## Measure it again

`npm run bench` measures everything in under 20 minutes and installs what is measured beside ours,
each in an environment of its own under `.bench/`. `npm run bench -- --only ROW` measures one row,
`--rounds N` takes more or fewer rounds, `--record` keeps the figures. A run says how busy the
machine was with other things: more than a load of 1.5 before its start, or a tenth of the
processor during a row, and its figures are marked as noisy. Servers and the client that asks them
are kept on different cores where the system lets them be."""


def page(recorded: dict[str, Any]) -> str:
    """All that was recorded, as Markdown, in the order of the rows."""
    kept = [(row, recorded["rows"][row.name]) for row in ROWS if row.name in recorded["rows"]]
    parts = [_INTRODUCTION, _TABLE, *(line for row, found in kept for line in _lines(row, found))]
    parts += ["", *_notes(recorded), *_not_met(kept), *_how(kept), _REPEAT, "", *_limits()]
    return "\n".join(parts) + "\n"


def _lines(row: Row, found: dict[str, Any]) -> Iterator[str]:
    for number, each in enumerate(found["comparisons"]):
        what = f"**{row.what}**: {each['what']}" if number == 0 else each["what"]
        bound = (
            f"{'at least' if each['bound']['at_least'] else 'at most'} {each['bound']['limit']:g}"
        )
        met = ("met" if each["met"] else "**not met**") + (" (noisy)" if found["noisy"] else "")
        yield (
            f"| {what} | {each['against']} | {_figure(each['ours'])} | "
            f"{_figure(each['theirs'])} {each['unit']} | {each['ratio']:.2f} | {bound} | {met} |"
        )


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _notes(recorded: dict[str, Any]) -> Iterator[str]:
    rows = recorded["rows"].values()
    days = sorted({row["measured"] for row in rows})
    machine = ", ".join(f"{name} {value}" for name, value in recorded["machine"].items())
    yield f"Measured on {' and '.join(days)}. The machine: {machine}."
    yield ""


def _not_met(kept: list[tuple[Row, dict[str, Any]]]) -> Iterator[str]:
    yield "## What is not met"
    yield ""
    for row, found in kept:
        if not all(each["met"] for each in found["comparisons"]):
            yield f"- **{row.what}**: {NOT_MET.get(row.name, 'Not looked into yet.')}"
    yield ""


def _how(kept: list[tuple[Row, dict[str, Any]]]) -> Iterator[str]:
    yield "## What is done"
    yield ""
    for row, _ in kept:
        yield f"- **{row.what}** (`{row.name}`). {row.how}"
    yield ""


def _limits() -> Iterator[str]:
    yield "## What limits us now"
    yield ""
    yield LIMITS
    yield "![Where a decision over HTTP spends its time](images/flame-graph.svg)"
    yield ""
    yield "The bridge under `fire → skip` from 16 connections; the wider, the longer. Made by"
    yield "`npm run bench -- --flame-graph`. What each step has gained stands in"
    yield "[`bench/gains.md`](../bench/gains.md)."
