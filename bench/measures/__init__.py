"""The rows of the table, one file each, in the order of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.measures import (
    core,
    due,
    durable,
    growth,
    hops,
    http,
    idle,
    memory,
    round_trip,
    start,
    stream,
    tick,
)

if TYPE_CHECKING:
    from bench.row import Row

ROWS: tuple[Row, ...] = (
    http.ROW,
    round_trip.ROW,
    core.ROW,
    durable.ROW,
    due.ROW,
    memory.ROW,
    start.ROW,
    growth.ROW,
    tick.ROW,
    stream.ROW,
    idle.ROW,
    hops.ROW,
)
