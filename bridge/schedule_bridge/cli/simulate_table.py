"""What the simulator printed, as a table for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from schedule_bridge.core.model import SECOND
from schedule_bridge.simulate.counts import count
from schedule_bridge.simulate.telling import tell
from schedule_bridge.simulate.times import elapsed
from schedule_bridge.wire.codec import Media, encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.simulate.output import Printed
    from schedule_bridge.simulate.scenario import Scenario

_COLUMNS: Final = ("at", "event", "triggerId", "executionId")
_STYLES: Final = {
    "execution.started": "blue",
    "firing.skipped": "dim",
    "firing.dropped": "dim",
    "execution.completed": "blue",
    "execution.failed": "red",
    "execution.cancelled": "red",
    "execution.expired": "red",
    "job.cancelled": "red",
}
_WAITS: Final = "yellow"
_UNBOUNDED: Final = 10_000
_LONGEST: Final = 100


def print_table(scenario: Scenario, printed: list[Printed]) -> None:
    """Prints the events, then for each trigger what it did in one sentence."""
    table = _table(printed)
    console = Console(highlight=False)
    if not console.is_terminal:
        # Nothing is cut off where there is no window to fit into.
        unbounded = console.options.update(max_width=_UNBOUNDED)
        console.width = max(console.measure(table, options=unbounded).maximum, console.width)
    if printed:
        console.print(table)
    for story in tell(scenario, printed):
        name = story.config.name or story.config.trigger_id
        console.print(Text(f"{name}: {count(story)}"), soft_wrap=True)


def _table(printed: Iterable[Printed]) -> Table:
    table = Table("at", "event", "trigger", "run", "details")
    table.columns[0].justify = "right"
    for column in table.columns:
        column.no_wrap = True
    for event in printed:
        table.add_row(
            elapsed(round(event["at"] * SECOND)),
            event["event"],
            Text(event.get("triggerId", "")),
            Text(event.get("executionId", "")),
            Text(_details(event)),
            style=_STYLES.get(event["event"], _WAITS),
        )
    return table


def _details(event: Printed) -> str:
    """The other fields; a long payload is cut short, as json prints the whole of it."""
    rest = {name: value for name, value in event.items() if name not in _COLUMNS}
    text = ", ".join(f"{name} {_shown(name, value)}" for name, value in rest.items())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _shown(name: str, value: object) -> str:
    if name == "readyAt" and isinstance(value, int | float):
        return elapsed(round(value * SECOND))
    return encode(Media.JSON, value).decode()
