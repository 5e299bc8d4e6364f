"""The gates that a firing passes, in order; each lets it through or says why not.

    enabled -> delay -> overlap -> lock -> capacity -> start

A gate is a function of the passage: it answers True to let it through, or records what
became of it and answers False. What waits somewhere goes on later from the gate after.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, assert_never

from schedule_bridge.core import ending, policies
from schedule_bridge.core.agenda import Rank
from schedule_bridge.core.events import (
    Event,
    ExecutionOnHold,
    ExecutionStarted,
    ExecutionWaiting,
    FiringBuffered,
    FiringDelayed,
    FiringDropped,
    FiringMerged,
    FiringQueued,
    FiringReleased,
    FiringSkipped,
)
from schedule_bridge.core.merging import merge_firing
from schedule_bridge.core.model import (
    DelayedFiring,
    Execution,
    Firing,
    Instant,
    Reason,
    State,
    Trigger,
)

if TYPE_CHECKING:
    from schedule_bridge.core.workspace import Standing, Workspace
    from schedule_bridge.core.world import World

NAMED_AT_MOST = 20
"""How many runs in the way a decision names."""


@dataclass(slots=True)
class Passage:
    """A firing of a trigger on its way through the gates, at an instant."""

    world: World
    workspace: Workspace
    trigger: Trigger
    firing: Firing
    now: Instant
    events: list[Event]
    execution: Execution | None = None


def pass_all(passage: Passage) -> None:
    """Leads a passage through the gates until one keeps it."""
    if enabled(passage) and delay(passage):
        pass_from_overlap(passage)


def pass_from_overlap(passage: Passage) -> None:
    """Leads on a passage whose delay is over (R2)."""
    if overlap(passage) and lock(passage) and capacity(passage):
        start(passage)


def enabled(passage: Passage) -> bool:
    """R1: a paused or detached trigger skips."""
    trigger = passage.trigger
    if trigger.detached_since is not None:
        reason = Reason.DETACHED
    elif trigger.paused_since is not None:
        reason = Reason.PAUSED
    else:
        return True
    passage.events.append(FiringSkipped(passage.now, passage.firing, reason, ()))
    return False


def delay(passage: Passage) -> bool:
    """R2: the first firing of a trigger and key is held, further ones merge into it."""
    world, firing, now = passage.world, passage.firing, passage.now
    duration = passage.trigger.config.delay
    if not duration:
        return True
    held = passage.trigger.delayed.get(firing.lock_key)
    if held is None:
        hold_back(world, passage.trigger, firing, now + duration)
        passage.events.append(FiringDelayed(now, firing, now + duration))
    else:
        cut = merge_firing(held.firing, firing, world.surroundings.may_keep)
        held.firing.key = firing.key
        passage.events.append(FiringMerged(now, firing, None, held.firing.firing_id, cut))
    return False


def hold_back(world: World, trigger: Trigger, firing: Firing, ready_at: Instant) -> None:
    """Keeps a firing until `ready_at`."""
    held = DelayedFiring(firing, ready_at, world.next_order())
    trigger.delayed[firing.lock_key] = held
    arm_delay(world, held, ready_at)


def arm_delay(world: World, held: DelayedFiring, instant: Instant) -> None:
    """Puts the end of a delay on the agenda, in the order of R18."""
    held.timer = world.agenda.add(instant, Rank.DELAY, (held.firing.priority, held.order), held)


def overlap(passage: Passage) -> bool:
    """R3 to R10: what the policy makes of the active executions of the firing's scope."""
    firing, now, events = passage.firing, passage.now, passage.events
    config = passage.trigger.config
    scope = (config.workflow_id, firing.lock_key)
    standing = passage.workspace.standing_in(scope)
    slot = passage.trigger.buffered.get(firing.lock_key)
    match policies.plan(config.policy, standing, slot, config.max_concurrent):
        case policies.Skip(reason):
            events.append(FiringSkipped(now, firing, reason, _named(standing)))
        case policies.Proceed():
            passage.execution = _create(passage)
            return True
        case policies.Release(held):
            _release(passage, held)
            passage.execution = _create(passage)
            return True
        case policies.Replace(cancel_jobs):
            active = list(standing.active.values())
            ending.cancel(passage.world, active, now, events, halt=cancel_jobs)
            passage.execution = _create(passage)
            return True
        case policies.Queue():
            in_the_way = _named(standing)
            events.append(FiringQueued(now, firing, _create(passage), in_the_way))
        case policies.Merge(execution):
            cut = merge_firing(execution, firing, passage.world.surroundings.may_keep)
            execution.firing_key = firing.key
            events.append(FiringMerged(now, firing, execution, execution.firing_id, cut))
        case policies.Hold():
            passage.trigger.buffered[firing.lock_key] = firing
            events.append(FiringBuffered(now, firing, _named(standing)))
        case policies.Drop():
            events.append(FiringDropped(now, firing, Reason.BUFFER_FULL, _named(standing)))
        case other:
            assert_never(other)
    return False


def _named(standing: Standing) -> tuple[Execution, ...]:
    """The runs in the way that a decision names; the oldest are enough to say why."""
    active = standing.active
    if len(active) <= NAMED_AT_MOST:
        return tuple(active.values())
    return tuple(islice(active.values(), NAMED_AT_MOST))


def _release(passage: Passage, held: Firing) -> None:
    """R10: the held firing takes the place of the current one."""
    del passage.trigger.buffered[held.lock_key]
    passage.events.append(FiringDropped(passage.now, passage.firing, Reason.REPLACED, ()))
    passage.events.append(FiringReleased(passage.now, held))
    passage.firing = held


def _create(passage: Passage) -> Execution:
    """A new execution for the firing, queued until the gates let it on."""
    world, firing, config = passage.world, passage.firing, passage.trigger.config
    execution = Execution(
        execution_id=world.surroundings.new_execution_id(config.trigger_id),
        trigger_id=config.trigger_id,
        workflow_id=config.workflow_id,
        workspace_id=config.workspace_id,
        client_id=config.client_id,
        lock_key=firing.lock_key,
        firing_id=firing.firing_id,
        firing_key=firing.key,
        source=firing.source,
        priority=firing.priority,
        payload=firing.payload,
        scheduled_at=firing.scheduled_at,
        created_at=passage.now,
        order=world.next_order(),
        merged_firings=firing.merged_firings,
    )
    world.add(execution)
    return execution


def lock(passage: Passage) -> bool:
    """R15: an execution waits for its lock key while another has it or comes before it."""
    execution = _execution_of(passage)
    ahead = passage.workspace.ahead_for_key(execution)
    if ahead is None:
        return True
    passage.events.append(ExecutionWaiting(passage.now, execution, ahead))
    return False


def capacity(passage: Passage) -> bool:
    """R16: at the limit, or while others are on hold, an execution goes on hold."""
    execution = _execution_of(passage)
    return has_capacity(passage.workspace, execution, passage.now, passage.events)


def has_capacity(
    workspace: Workspace, execution: Execution, now: Instant, events: list[Event]
) -> bool:
    """Puts the execution on hold and answers False, or answers True when it may start."""
    if workspace.has_room() and not workspace.holds:
        return True
    workspace.hold_order += 1
    execution.hold_order = workspace.hold_order
    workspace.move(execution, State.ON_HOLD)
    events.append(ExecutionOnHold(now, execution))
    return False


def start(passage: Passage) -> None:
    """R17: the last gate."""
    begin(passage.workspace, _execution_of(passage), passage.now, passage.events)


def begin(workspace: Workspace, execution: Execution, now: Instant, events: list[Event]) -> None:
    """R17: the execution becomes pending and gets a fencing token above all before it."""
    workspace.fencing_token += 1
    execution.fencing_token = workspace.fencing_token
    execution.pending_at = now
    workspace.move(execution, State.PENDING)
    events.append(ExecutionStarted(now, execution, execution.payload))


def _execution_of(passage: Passage) -> Execution:
    if passage.execution is None:
        raise AssertionError("a passage has an execution from the overlap gate on")
    return passage.execution
