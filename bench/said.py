"""What figures do not say by themselves: the gain of each step, and what limits us now."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class Step:
    """Something that made the product faster, and the figure before and after it."""

    what: str
    row: str
    before: str
    after: str


STEPS: tuple[Step, ...] = ()
"""Oldest first; each was measured by its row before and after, in one quiet run."""

LIMITS = """\
A request over HTTP costs the bridge three times what it costs a bare aiohttp handler, nearly all
of it Python on the one loop: the firing's way through the gates and into the record, its rows, its
line in the log, and a share of each commit. A single decision waits for one commit to be on the
disk, and for the two hops between the loop and the thread that writes. Ten thousand ticks at one
instant are decided as one batch and told after one commit, so the first of them is as late as the
last: what the rows of a tick cost is what the lag is.
"""
"""Three sentences, to be judged anew with the flame graph after each step."""

NOT_MET: dict[str, str] = {}
"""Of a row whose target is not met: what was tried, and what would be next."""
