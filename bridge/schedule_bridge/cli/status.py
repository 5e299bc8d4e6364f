"""`schedule-bridge status`: how workspaces and triggers stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from schedule_bridge.cli.client import BridgeClient, Json, path_of
from schedule_bridge.cli.connecting import as_json_option, asks_bridge
from schedule_bridge.cli.finding import all_triggers, id_ending, name_of, short_id
from schedule_bridge.cli.standing import remarks
from schedule_bridge.cli.tables import print_json, print_line, print_table
from schedule_bridge.cli.when import local_time, now
from schedule_bridge.core.configuration import DEFAULT_WORKSPACE, read_trigger_config
from schedule_bridge.core.model import OverlapPolicy, TriggerConfig
from schedule_bridge.schedule import ScheduleError, describe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedule_bridge.core.model import Instant

_HEADS: Final = ("trigger", "schedule", "overlap", "next run", "active", "last decision, remarks")
_MOST_RUNS: Final = 3


@click.command()
@click.option("--workspace", "workspace_id", metavar="WORKSPACE", help="This workspace only.")
@as_json_option
@asks_bridge
def status(bridge: BridgeClient, workspace_id: str | None, *, as_json: bool) -> None:
    """Show what runs, what waits, and what each trigger did last."""
    triggers = all_triggers(bridge, workspace_id)
    ids = sorted({_workspace_of(each) for each in triggers}) or [workspace_id or DEFAULT_WORKSPACE]
    workspaces = [bridge.get(path_of("workspaces", each)) for each in ids]
    if as_json:
        print_json({"workspaces": workspaces, "triggers": triggers})
        return
    for place, workspace in enumerate(workspaces):
        if place:
            print_line("")
        print_line(workspace_line(workspace))
        its = [each for each in triggers if _workspace_of(each) == workspace["workspaceId"]]
        _print_triggers(sorted(its, key=name_of), now())


def workspace_line(workspace: Json) -> str:
    """How much of a workspace's capacity is in use, and what waits for it."""
    counts = (("running", "running"), ("starting", "starting"), ("onHold", "on hold"))
    parts = [
        f"{workspace[member]} {word}"
        for member, word in (*counts, ("queued", "queued"))
        if workspace[member]
    ]
    limit = workspace["maxConcurrentExecutions"]
    name = f"Workspace {workspace['workspaceId']}"
    if not limit:
        return f"{name}: {', '.join(parts) or 'nothing runs'}, no limit"
    in_use = f"{workspace['running'] + workspace['starting']} of {limit} in use"
    return ": ".join([name, in_use, *([", ".join(parts)] if parts else [])])


def _print_triggers(triggers: Sequence[Json], at: Instant) -> None:
    if not triggers:
        print_line("There are no triggers.")
        return
    names = [name_of(each) for each in triggers]
    rows = [
        _row(each, at, named_twice=names.count(name) > 1)
        for each, name in zip(triggers, names, strict=True)
    ]
    print_table(_HEADS, rows)


def _row(trigger: Json, at: Instant, *, named_twice: bool) -> tuple[str, ...]:
    config = read_trigger_config(trigger["configuration"])
    name = name_of(trigger)
    return (
        f"{name} ({id_ending(config.trigger_id)})" if named_twice else name,
        _schedule(config),
        _policy(config),
        local_time(trigger["nextRun"], at).replace(" ", "\n"),
        _active(trigger),
        "\n".join([*_last_decision(trigger, at), *remarks(trigger, at)]),
    )


def _last_decision(trigger: Json, at: Instant) -> list[str]:
    last = trigger["lastDecision"]
    return [f"{local_time(last['decidedAt'], at)} {last['message']}"] if last else []


def _schedule(config: TriggerConfig) -> str:
    schedule = config.schedule or {}
    try:
        words = describe(config.schedule)
    except ScheduleError:
        return "A schedule that means nothing any more"
    zone = schedule.get("timezone")
    return f"{words} ({zone})" if zone else words


def _policy(config: TriggerConfig) -> str:
    allows = config.policy is OverlapPolicy.ALLOW
    return f"allow {config.max_concurrent}" if allows else config.policy.value


def _active(trigger: Json) -> str:
    queued = set(trigger["queued"])
    runs = [
        f"{short_id(each)} (queued)" if each in queued else short_id(each)
        for each in trigger["active"][:_MOST_RUNS]
    ]
    more = len(trigger["active"]) - _MOST_RUNS
    return ", ".join(runs) + (f" and {more} more" if more > 0 else "")


def _workspace_of(trigger: Json) -> str:
    return read_trigger_config(trigger["configuration"]).workspace_id
