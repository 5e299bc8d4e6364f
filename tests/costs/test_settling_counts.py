"""R18: what an end costs does not grow with what cannot move because of it.

Counted are the calls within the core, not seconds.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from core.house import Names
from schedule_bridge.core.configuration import read_trigger_config
from schedule_bridge.core.machine import FireRequest, Machine
from schedule_bridge.core.model import ExecutionId, Source, State, TriggerId, WorkspaceId

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_FEW, _MANY = 10, 10_000
_CORE = "schedule_bridge/core/"


def machine_with(triggers: dict[str, Any], *, limit: int = 0) -> Machine:
    """Each of the triggers is set and fired once, in this order."""
    machine = Machine(Names())
    if limit:
        machine.set_workspace(WorkspaceId("default"), limit, 0)
    for name, config in triggers.items():
        machine.set_trigger(read_trigger_config({"triggerId": name, **config}), 0)
        machine.fire(FireRequest(TriggerId(name), 0, Source.MANUAL), 0)
    return machine


def behind_one_key(waiting: int) -> Machine:
    """So many wait for a key that goes on being held; the run that will end holds none."""
    holders = {f"t{number}": {"lockKey": "k"} for number in range(waiting + 1)}
    return machine_with({**holders, "ends": {}})


def behind_their_scopes(waiting: int) -> Machine:
    """So many are queued, each behind a run of its own workflow that goes on."""
    machine = machine_with(
        {f"t{number}": {"overlapPolicy": "queue"} for number in range(waiting)} | {"ends": {}}
    )
    for number in range(waiting):
        machine.fire(FireRequest(TriggerId(f"t{number}"), 0, Source.MANUAL), 0)
    return machine


def behind_the_limit(waiting: int) -> Machine:
    """So many are on hold, and the end makes room for one of them."""
    return machine_with({"ends": {}} | {f"t{number}": {} for number in range(waiting)}, limit=1)


def calls_of(act: Callable[[Machine], object], machine: Machine) -> int:
    """How many calls within the core it takes."""
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and _CORE in frame.f_code.co_filename.replace("\\", "/")

    sys.setprofile(count)
    try:
        act(machine)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("waiting", [behind_one_key, behind_their_scopes, behind_the_limit])
def test_an_end_looks_at_nothing_that_it_cannot_move(waiting: Callable[[int], Machine]) -> None:
    def end(machine: Machine) -> object:
        return machine.finish(ExecutionId("ends#1"), State.COMPLETED, 1)

    assert calls_of(end, waiting(_MANY)) == calls_of(end, waiting(_FEW))


@pytest.mark.parametrize("waiting", [behind_one_key, behind_their_scopes, behind_the_limit])
def test_a_skip_costs_the_same_however_many_wait(waiting: Callable[[int], Machine]) -> None:
    def skip(machine: Machine) -> object:
        return machine.fire(FireRequest(TriggerId("ends"), 1, Source.MANUAL), 1)

    assert calls_of(skip, waiting(_MANY)) == calls_of(skip, waiting(_FEW))
