"""Every state against every command: the new state, or the refusal, which changes nothing."""

from collections.abc import Callable

import pytest

from schedule_bridge.core.model import Execution, Reason, State
from schedule_bridge.core.refusal import Refusal, Refused

from .house import House
from .picture import picture

TABLE = """
command          queued       onHold       pending      running      paused       ended
claim            notPending   notPending   running      notPending   notPending   notActive
claimAgain       notPending   notPending   running      running      paused       notActive
finish           notStarted   notStarted   completed    completed    completed    notActive
fail             notStarted   notStarted   failed       failed       failed       notActive
cancel           cancelled    cancelled    cancelled    cancelled    cancelled    notActive
terminate        cancelled    cancelled    cancelled    cancelled    cancelled    notActive
interrupt        interrupted  interrupted  interrupted  interrupted  interrupted  notActive
pause            notRunning   notRunning   notRunning   paused       notRunning   notActive
resume           notPaused    notPaused    notPaused    notPaused    running      notActive
addJob           queued       onHold       pending      running      paused       notActive
detachedTooLong  interrupted  interrupted  interrupted  running      paused       ended
removeTrigger    cancelled    cancelled    pending      running      paused       ended
pauseTrigger     queued       onHold       pending      running      paused       ended
"""
SUBJECT = "t#2"

COMMANDS: dict[str, Callable[[House], object]] = {
    "claim": lambda house: house.claim(SUBJECT, "another session"),
    "claimAgain": lambda house: house.claim(SUBJECT, "s"),
    "finish": lambda house: house.finish(SUBJECT),
    "fail": lambda house: house.finish(SUBJECT, State.FAILED),
    "cancel": lambda house: house.verb("cancel", SUBJECT),
    "terminate": lambda house: house.verb("terminate", SUBJECT),
    "interrupt": lambda house: house.interrupt(SUBJECT),
    "pause": lambda house: house.verb("pause", SUBJECT),
    "resume": lambda house: house.verb("resume", SUBJECT),
    "addJob": lambda house: house.add_job(SUBJECT, "j"),
    "detachedTooLong": lambda house: house.interrupt_detached(),
    "removeTrigger": lambda house: house.trigger_verb("remove"),
    "pauseTrigger": lambda house: house.trigger_verb("pause"),
}


def rows() -> list[tuple[str, State, str]]:
    """(command, state before, state after or refusal), a row for each way to be over."""
    heading, *lines = (line.split() for line in TABLE.strip().splitlines())
    return [
        (line[0], state, cell if cell != "ended" else state.value)
        for line in lines
        for column, cell in zip(heading[1:], line[1:], strict=True)
        for state in State
        if state.value == column or (state.terminal and column == "ended")
    ]


def a_run(state: State) -> tuple[House, Execution]:
    """A house in which the run `t#2` is in that state, beside one that ran before it."""
    house = House()
    house.set(overlapPolicy="queue", maxRunMinutes=1)
    house.fire()
    if state not in (State.QUEUED, State.ON_HOLD):
        house.finish("t#1")
    house.limit(1 if state is State.ON_HOLD else 0)
    house.fire(key="k" if state is State.ON_HOLD else "")
    execution = house.execution(SUBJECT)
    _lead_to(state, house)
    assert execution.state is state
    return house, execution


def _lead_to(state: State, house: House) -> None:
    if state in (State.QUEUED, State.ON_HOLD, State.PENDING):
        return
    house.claim(SUBJECT, "s")
    match state:
        case State.PAUSED:
            house.verb("pause", SUBJECT)
        case State.COMPLETED | State.FAILED:
            house.finish(SUBJECT, state)
        case State.CANCELLED:
            house.verb("cancel", SUBJECT)
        case State.EXPIRED:
            house.wait(60)
        case State.INTERRUPTED:
            house.interrupt(SUBJECT, Reason.RESTARTED)
        case _:
            return


@pytest.mark.parametrize(("command", "before", "after"), rows())
def test_a_command_leads_to_the_state_of_the_table_or_is_refused(
    command: str, before: State, after: str
) -> None:
    house, execution = a_run(before)
    if after in list(State):
        COMMANDS[command](house)
        assert execution.state == after
        return
    world = picture(house.world)
    with pytest.raises(Refused) as refused:
        COMMANDS[command](house)
    assert refused.value.refusal is Refusal(after)
    assert picture(house.world) == world


def test_the_table_names_every_command_and_every_state() -> None:
    assert {command for command, _, _ in rows()} == set(COMMANDS)
    assert {before for _, before, _ in rows()} == set(State)


def test_started_and_terminal_are_what_the_diagram_says() -> None:
    assert [state.value for state in State if state.started] == ["pending", "running", "paused"]
    assert [state.value for state in State if state.terminal] == [
        "completed",
        "failed",
        "cancelled",
        "expired",
        "interrupted",
    ]
