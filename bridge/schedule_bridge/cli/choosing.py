"""Which decisions answer for a time: those on the latest firing that came by then."""

from __future__ import annotations

from itertools import chain, takewhile
from typing import TYPE_CHECKING

from schedule_bridge.cli.client import BridgeClient, Json, path_of
from schedule_bridge.cli.failures import NotFoundError
from schedule_bridge.wire.times import parse_instant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedule_bridge.core.model import Instant


def latest_decisions(bridge: BridgeClient, trigger_id: str, until: Instant | None) -> list[Json]:
    """The decisions on the trigger's latest firing, or on its latest one up to `until`.

    One firing has several where the trigger has several lock keys (R26); they come in order. The
    list is empty if the trigger had not fired by then.
    """
    line = _came_by(bridge, _newest_first(bridge, trigger_id), until)
    latest = next(line, None)
    if latest is None:
        return []
    came = came_at(bridge, latest)
    with_it = takewhile(lambda decision: came_at(bridge, decision) == came, line)
    return [latest, *with_it][::-1]


def came_at(bridge: BridgeClient, decision: Json) -> Instant:
    """When the firing came, as far as that is known.

    A decision is as old as its last change: one on a run that was queued at 10:20 and started at
    10:22 says 10:22, and only the run knows of 10:20.
    """
    run = None
    if decision["executionId"] is not None and decision["decision"] != "merged":
        run = find_execution(bridge, decision["executionId"])
    return parse_instant(decision["decidedAt"] if run is None else run["createdAt"])


def find_execution(bridge: BridgeClient, execution_id: str) -> Json | None:
    """An execution, or None if it is no longer known."""
    try:
        return bridge.get(path_of("executions", execution_id))
    except NotFoundError:
        return None


def _newest_first(bridge: BridgeClient, trigger_id: str) -> Iterator[Json]:
    pages = bridge.pages("/v1/decisions", "decisions", triggerId=trigger_id)
    return chain.from_iterable(pages)


def _came_by(
    bridge: BridgeClient, newest_first: Iterator[Json], until: Instant | None
) -> Iterator[Json]:
    """What is left of the line when those go that came after `until`."""
    if until is None:
        return newest_first
    later: list[Json] = []
    for decision in newest_first:
        if parse_instant(decision["decidedAt"]) <= until:
            newest_first = chain([decision], newest_first)
            break
        later.append(decision)
    changed_later = list(takewhile(lambda each: came_at(bridge, each) <= until, reversed(later)))
    return chain(reversed(changed_later), newest_first)
