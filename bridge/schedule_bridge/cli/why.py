"""`schedule-bridge why`: why a trigger did or did not start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from schedule_bridge.cli.choosing import came_at, find_execution, latest_decisions
from schedule_bridge.cli.connecting import as_json_option, asks_bridge
from schedule_bridge.cli.finding import find_trigger, name_of, short_id
from schedule_bridge.cli.standing import missed_sentence, obstacles
from schedule_bridge.cli.tables import print_json, print_line, print_table
from schedule_bridge.cli.when import Moment, MomentType, local_time, now
from schedule_bridge.core.sentences import duration
from schedule_bridge.wire.times import format_instant, parse_instant

if TYPE_CHECKING:
    from schedule_bridge.cli.client import BridgeClient, Json
    from schedule_bridge.core.model import Instant

_HEADS: Final = ("run", "", "state", "created", "started", "ended", "ran for", "reason")
_STATES: Final = {"onHold": "on hold"}
_NOT_FOUND: Final = 1


@dataclass(slots=True, frozen=True)
class Answer:
    """What there is to say; `came` is when the firing that was decided on came, if any did."""

    trigger: Json
    decisions: list[Json]
    executions: list[Json]
    missed: list[Json]
    came: Instant | None


@click.command()
@click.argument("trigger")
@click.option(
    "--at",
    type=MomentType(),
    help="When it should have started: 10:20, 10:20:30 or an RFC 3339 instant; else the latest.",
)
@as_json_option
@asks_bridge
def why(bridge: BridgeClient, trigger: str, at: Moment | None, *, as_json: bool) -> None:
    """Say why a trigger did or did not start.

    TRIGGER is a name, an id or the end of an id. The runs in the way are listed with how they
    stand now. If nothing was decided at the time, the decision before it is told.
    """
    answer = _look_up(bridge, find_trigger(bridge, trigger), at)
    if as_json:
        print_json(
            {
                "trigger": answer.trigger,
                "decisions": answer.decisions,
                "executions": answer.executions,
                "missed": answer.missed,
            }
        )
    else:
        _tell(answer, at)
    if not (answer.decisions or answer.missed):
        raise SystemExit(_NOT_FOUND)


def _look_up(bridge: BridgeClient, trigger: Json, at: Moment | None) -> Answer:
    decisions = latest_decisions(bridge, trigger["triggerId"], at.last if at else None)
    ids = dict.fromkeys(
        execution_id
        for decision in decisions
        for execution_id in (decision["executionId"], *decision["activeExecutions"])
        if execution_id is not None
    )
    found = [find_execution(bridge, each) for each in ids]
    return Answer(
        trigger=trigger,
        decisions=decisions,
        executions=[each for each in found if each is not None],
        missed=[each for each in trigger["missed"] if at and _covers(each, at)],
        came=came_at(bridge, decisions[0]) if decisions else None,
    )


def _covers(stretch: Json, at: Moment) -> bool:
    return parse_instant(stretch["from"]) <= at.last and parse_instant(stretch["to"]) >= at.first


def _tell(answer: Answer, at: Moment | None) -> None:
    read_at = now()
    name = name_of(answer.trigger)
    for stretch in answer.missed:
        print_line(f"{name}: {missed_sentence(stretch, read_at)}")
    came = local_time(format_instant(answer.came), read_at) if answer.came is not None else ""
    print_line(f"{name}{_which(answer.came, came, at)}")
    for decision in answer.decisions:
        print_line(_sentence(decision, came, read_at))
    for obstacle in obstacles(answer.trigger, read_at):
        print_line(f"Now: {obstacle}")
    if answer.executions:
        made = {decision["executionId"] for decision in answer.decisions}
        print_table(_HEADS, [_row(each, made, read_at) for each in answer.executions])


def _which(came: Instant | None, time: str, at: Moment | None) -> str:
    """Which decision is told of, and whether it is the one that was asked about."""
    if came is None:
        return f": nothing had been decided by {at.text}." if at else ": nothing has been decided."
    if at is None:
        return f", the latest decision ({time}):"
    if came >= at.first:
        return f" at {time}:"
    return f": nothing was decided at {at.text}. The decision before it ({time}):"


def _sentence(decision: Json, came: str, read_at: Instant) -> str:
    """The decision's own words, and what they leave open: when it changed last, its lock key."""
    decided = local_time(decision["decidedAt"], read_at)
    notes = [f"at {decided}"] if decided != came else []
    if decision["lockKey"]:
        notes.append(f"key {decision['lockKey']}")
    return f"{decision['message']} ({', '.join(notes)})" if notes else str(decision["message"])


def _row(execution: Json, made: set[str | None], read_at: Instant) -> tuple[str, ...]:
    execution_id = execution["executionId"]
    return (
        short_id(execution_id),
        "its run" if execution_id in made else "in the way",
        _STATES.get(execution["state"], str(execution["state"])),
        local_time(execution["createdAt"], read_at),
        local_time(execution["startedAt"], read_at),
        local_time(execution["endedAt"], read_at),
        _ran_for(execution, read_at),
        execution["reason"] or "",
    )


def _ran_for(execution: Json, read_at: Instant) -> str:
    if execution["startedAt"] is None:
        return ""
    ended = parse_instant(execution["endedAt"]) if execution["endedAt"] else read_at
    return duration(ended - parse_instant(execution["startedAt"]))
