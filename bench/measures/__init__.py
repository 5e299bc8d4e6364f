"""The rows of the table, one file each, in the order of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.measures import http, round_trip

if TYPE_CHECKING:
    from bench.row import Row

ROWS: tuple[Row, ...] = (http.ROW, round_trip.ROW)
