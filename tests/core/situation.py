"""How a world stands, told so that two moments with the same future are told alike.

Runs go by their place in the order of creation instead of their names, instants by their
distance from now. Left out is what no rule ever asks about again: names, counts, what is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from schedule_bridge.core.model import Execution, Firing, Instant, Job, Trigger
    from schedule_bridge.core.workspace import Workspace
    from schedule_bridge.core.world import World

Situation: TypeAlias = tuple[object, ...]


def situation(world: World, now: Instant) -> Situation:
    """The world as plain data to be compared and hashed."""
    return (
        tuple(_trigger(world.triggers[name], now) for name in sorted(world.triggers)),
        tuple(_run(run, now) for run in world.executions.values()),
        tuple(_workspace(world.workspaces[name]) for name in sorted(world.workspaces)),
    )


def _trigger(trigger: Trigger, now: Instant) -> Situation:
    delayed = sorted(trigger.delayed.values(), key=lambda held: held.order)
    return (
        trigger.trigger_id,
        trigger.config.policy,
        trigger.config.client_id,
        trigger.paused_since is not None,
        trigger.detached_since is not None,
        tuple((_firing(held.firing), held.ready_at - now, held.timer is None) for held in delayed),
        tuple(_firing(firing) for firing in trigger.buffered.values()),
    )


def _firing(firing: Firing) -> Situation:
    return (firing.lock_key, firing.priority, repr(firing.payload))


def _run(run: Execution, now: Instant) -> Situation:
    return (
        run.trigger_id,
        run.workflow_id,
        run.client_id,
        run.lock_key,
        run.state,
        run.priority,
        repr(run.payload),
        None if run.deadline is None else run.deadline - now,
        None if run.paused_at is None else run.paused_at - now,
        run.run_limit,
        run.session_id,
        tuple(_job(job) for job in run.jobs.values()),
    )


def _job(job: Job) -> Situation:
    return (job.claimed, job.ended_as)


def _workspace(workspace: Workspace) -> Situation:
    places = {name: place for place, name in enumerate(workspace.executions)}
    return (
        workspace.workspace_id,
        workspace.limit,
        workspace.gave_back,
        tuple(places[name] for name in workspace.holds),
    )
