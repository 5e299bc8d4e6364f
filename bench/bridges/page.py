"""The figures as a part of docs/scaling.md, between two marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.bridges.prose import paragraph
from bench.bridges.sizes import sizes
from bench.bridges.throughput import ALONE, CONNECTIONS, CROWDED, HOUSES, SPREAD, TALKS
from bench.record import DOCS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.bridges.record import Recorded
    from bench.bridges.throughput import House
    from bench.row import Figures

PAGE = DOCS / "scaling.md"
_BEGIN = "<!-- measured: `npm run bench:bridges -- --record` writes what follows -->\n"
_END = "<!-- /measured -->"
_UNITS = {
    "round trips a request": ("round trips to the database for a request that decides", "{:.2f}"),
    "memory of a bridge": ("memory of a bridge that has nothing", "{:,.0f} bytes"),
    "memory of a trigger": ("memory of a trigger", "{:,.0f} bytes"),
    "memory of a workspace": ("memory of a workspace with a trigger", "{:,.0f} bytes"),
    "memory of a stream": ("memory of a stream that is connected", "{:,.0f} bytes"),
    "bridge µs a stream second": ("processor of a bridge for an idle stream", "{:.1f} µs a second"),
    "bridge µs a workspace second": ("processor of a bridge for a lease", "{:.1f} µs a second"),
    "database µs a workspace second": ("processor of the database for it", "{:.1f} µs a second"),
    "WAL bytes a workspace second": ("WAL for it", "{:,.0f} bytes a second"),
    "bytes of a trigger": ("a trigger in the database", "{:,.0f} bytes"),
    "bytes of a decision": ("a decision in the database", "{:,.0f} bytes"),
    "bytes of a run": ("a run in the database", "{:,.0f} bytes"),
}


def write(recorded: Recorded) -> None:
    """Puts what was recorded in place of what stood there."""
    PAGE.write_text(with_figures(PAGE.read_text(), recorded))


def with_figures(text: str, recorded: Recorded) -> str:
    """The page with its part between the marks made anew."""
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise RuntimeError(f"{PAGE} has no place for the figures.")
    return before + begin + "\n" + "\n".join(_part(recorded)) + "\n" + end + after


def _part(recorded: Recorded) -> Iterator[str]:
    yield "## Measured"
    yield ""
    yield from _how(recorded)
    yield from _throughput(recorded["throughput"])
    yield from _units(recorded["units"])
    yield from sizes(recorded)


def _how(recorded: Recorded) -> Iterator[str]:
    described = ", ".join(f"{name} {value}" for name, value in recorded["machine"].items())
    noisy = "Others were busy on the machine: quote nothing of it." if recorded["noisy"] else ""
    yield from paragraph(
        f"""On {recorded["measured"]}, by `npm run bench:bridges`. {noisy} The machine: {described};
        {recorded["cores"]}. {CONNECTIONS} keep-alive connections ask again as soon as they are
        answered, each the bridge that decides. In as many workspaces hardly two decisions share a
        commit, which is what many small clients are like; in one workspace they do."""
    )


def _throughput(found: dict[str, Figures]) -> Iterator[str]:
    for talk, said in TALKS.items():
        yield f"### `{said}`"
        yield ""
        yield (
            "| bridges | workspaces | requests a second | of a workspace | median | 99th | commits "
            "for a request | bridge | database | WAL |"
        )
        yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        yield from (_line(house, found[house.name], talk) for house in HOUSES)
        yield ""
    yield from _what_two_cores_hide(found)


def _line(house: House, found: Figures, talk: str) -> str:
    it = {what.removeprefix(f"{talk} "): figure for what, figure in found.items()}
    store = "" if house.on_postgresql else " on SQLite"
    commits = f"{it['commits']:.2f}"
    database = f"{it['database µs']:,.0f} µs" if house.on_postgresql else ""
    wal = f"{it['WAL bytes']:,.0f} bytes" if house.on_postgresql else ""
    return (
        f"| {house.bridges}{store} | {house.workspaces} | {it['per second']:,.0f} "
        f"| {it['per second'] / house.workspaces:,.0f} | {it['median ms']:.1f} ms "
        f"| {it['99th ms']:.1f} ms | {commits} | {it['bridge µs']:,.0f} µs | {database} | {wal} |"
    )


def _what_two_cores_hide(found: dict[str, Figures]) -> Iterator[str]:
    one, three = found[SPREAD[0].name], found[SPREAD[-1].name]
    alone, crowded = found[ALONE[0].name], found[CROWDED.name]
    growth = three["skip per second"] / one["skip per second"]
    keeps_up = one["skip bridge µs"] / one["skip database µs"]
    yield from paragraph(
        f"""`bridge` and `database` are processor time for a request, of all processes of a kind.
        Bridges that share a core cannot grow in sum, nor can a database that shares one with the
        client: three bridges do {growth:.2f} times what one does here. What the processor times say
        beside that: a bridge with a core to itself could do {1e6 / one["skip bridge µs"]:,.0f}
        skips a second, and a core of the database keeps up {keeps_up:.1f} such bridges. One bridge
        on SQLite does {alone["skip per second"]:,.0f} skips a second in as many workspaces, on
        PostgreSQL in one workspace {crowded["skip per second"]:,.0f}."""
    )


def _units(found: Figures) -> Iterator[str]:
    yield "### What stands still"
    yield ""
    yield "| what | takes |"
    yield "| --- | ---: |"
    for name, (said, form) in _UNITS.items():
        takes = form.format(found[name]) if found[name] > 0 else "too little to tell"
        yield f"| {said} | {takes} |"
    for name, figure in found.items():
        if name.startswith("take-over ms, "):
            what = name.removeprefix("take-over ms, ")
            yield f"| to take a workspace over: {what} | {figure:,.1f} ms |"
    yield ""
