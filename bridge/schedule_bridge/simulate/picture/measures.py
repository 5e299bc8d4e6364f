"""Sizes of the picture, in CSS pixels."""

from typing import Final

MARGIN: Final = 24
LABELS: Final = 64
"""Room for the names of the rows, left of the axis."""
INSET: Final = 12
"""From the axis' ends to the first and the last instant, so that no mark is cut off."""

TICK: Final = 12
"""Marks closer than this shrink."""
SMALL_TICK: Final = 5
SMALL: Final = 0.6
"""How much marks shrink."""
MARK_REACH: Final = 4
"""From the middle of a mark to where its stem begins."""
NARROWEST: Final = 640
WIDEST: Final = 1800
"""The plot grows with its firings up to here; from then on they stand closer."""

BAR: Final = 12
LANE: Final = 16
ROW_GAP: Final = 4
LEAST_BAR: Final = 2
CAP: Final = 6
"""How wide the slanted end of a cut bar is."""

HEADING: Final = 40
"""From a band's top to the top of its first row."""
AXIS: Final = 24
"""From the baseline to the end of a band."""
BAND_GAP: Final = 20
NOTE: Final = 16
ENTRY: Final = 24

MARK_LANES: Final = 5
BAR_LANES: Final = 24
"""More at once is said in words, so that the picture stays of a bounded height."""
