"""Section 7: a payload is deleted when its execution ends, whichever way."""

import pytest

from .house import House


@pytest.mark.parametrize("end", ["finish", "cancel", "terminate", "interrupt", "deadline"])
def test_the_payload_of_an_execution_goes_with_its_end(end: str) -> None:
    house = House()
    house.set(maxRunMinutes=1)
    house.fire(payload={"secret": 1})
    run = house.execution("t#1")
    house.claim("t#1")
    if end == "deadline":
        house.wait(60)
    elif end in ("finish", "interrupt"):
        getattr(house, end)("t#1")
    else:
        house.verb(end, "t#1")
    assert run.state.terminal
    assert run.payload is None


def test_the_payload_of_an_execution_that_never_started_goes_with_its_end() -> None:
    house = House()
    house.set(overlapPolicy="queue")
    house.fire()
    house.fire(payload={"secret": 1})
    run = house.execution("t#2")
    house.trigger_verb("remove")
    assert (run.state.terminal, run.payload) == (True, None)
