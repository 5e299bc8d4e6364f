"""Random commands, and what a memory holds as one value, so that two memories can be compared."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from schedule_bridge.core.model import LockKey, TriggerId, WorkspaceId
from schedule_bridge.core.refusal import Refused
from schedule_bridge.engine import ExecutionUnknownError, TriggerUnknownError

if TYPE_CHECKING:
    import random

    from schedule_bridge.core.model import DelayedFiring, Execution
    from schedule_bridge.core.workspace import Workspace
    from schedule_bridge.engine.memory import Memory

    from .rig import Rig

TRIGGERS = ("t", "u", "v")
WORKSPACES = ("default", "other")
POLICIES = ("skip", "queue", "allow", "buffer", "cancel", "terminate")
KEYS = ("", "k", "l")


class Commander:
    """Commands drawn from a seed; what is refused is refused."""

    def __init__(self, rig: Rig, chance: random.Random) -> None:
        self._rig = rig
        self._chance = chance

    async def go(self) -> str:
        """Does one thing; what it was."""
        doing = self._chance.choice(
            (self._set, self._fire, self._fire, self._claim, self._end, self._time, self._others)
        )
        with suppress(Refused, TriggerUnknownError, ExecutionUnknownError):
            await doing()
        return str(doing.__name__)

    async def _others(self) -> None:
        await self._chance.choice((self._finish, self._pause, self._remove, self._limit))()

    async def _set(self) -> None:
        one = self._chance.choice
        await self._rig.set(
            one(TRIGGERS),
            workflowId=one("wx"),
            workspaceId=one(WORKSPACES),
            overlapPolicy=one(POLICIES),
            maxConcurrent=one((1, 3)),
            priority=one((1, 5)),
            maxRunMinutes=one((0, 1)),
            lockKeys=one(([], [], ["k", "l"])),
            delaySeconds=one((0, 0, 5)),
            schedule=one(({"kind": "none"}, {"kind": "interval", "every": one((7, 60))})),
        )

    async def _fire(self) -> None:
        payload = self._chance.choice((None, {"a": 1}, {"b": 2}, [3]))
        await self._rig.fire(
            self._chance.choice(TRIGGERS), payload, lock_key=self._chance.choice(KEYS)
        )

    async def _claim(self) -> None:
        await self._rig.claim(await self._one())

    async def _finish(self) -> None:
        await self._rig.finish(await self._one())

    async def _end(self) -> None:
        verb = self._chance.choice(("cancel", "terminate", "pause", "resume"))
        await self._rig.command(verb, (await self._one()).execution_id)

    async def _pause(self) -> None:
        await self._rig.pause(self._chance.choice(TRIGGERS))

    async def _remove(self) -> None:
        await self._rig.engine.remove(TriggerId(self._chance.choice(TRIGGERS)))

    async def _limit(self) -> None:
        workspace_id = WorkspaceId(self._chance.choice(WORKSPACES))
        await self._rig.engine.set_workspace(workspace_id, self._chance.choice((0, 1, 2)))

    async def _time(self) -> None:
        await self._rig.pass_time(self._chance.choice((1, 5, 30)))

    async def _one(self) -> Execution:
        active = list((await self._rig.active()).values())
        if not active:
            raise ExecutionUnknownError
        return self._chance.choice(active)


def picture(memory: Memory) -> dict[str, Any]:
    """All that decides what comes next. What only shows, such as how often it skipped, is not."""
    world = memory.machine.world
    return {
        "executions": {name: _execution(each) for name, each in world.executions.items()},
        "triggers": {
            name: {
                "config": asdict(each.config),
                "since": (each.paused_since, each.detached_since),
                "delayed": {key: _delayed(held) for key, held in each.delayed.items()},
                "buffered": {key: asdict(firing) for key, firing in each.buffered.items()},
            }
            for name, each in world.triggers.items()
        },
        "registrations": {
            name: (each.raw, each.anchor, each.next_tick)
            for name, each in memory.registrations.items()
        },
        "workspaces": {
            name: _workspace(each)
            for name, each in world.workspaces.items()
            if each.limit or each.fencing_token
        },
    }


def _execution(execution: Execution) -> dict[str, Any]:
    timer = execution.timer
    execution.timer = None
    try:
        fields = asdict(execution)
    finally:
        execution.timer = timer
    return {**fields, "timer": timer.instant if timer is not None and timer.armed else None}


def _delayed(held: DelayedFiring) -> tuple[dict[str, Any], int, int]:
    return asdict(held.firing), held.ready_at, held.order


def _workspace(workspace: Workspace) -> tuple[Any, ...]:
    lines = {key: [each.execution_id for each in workspace.line_for(LockKey(key))] for key in KEYS}
    return workspace.limit, workspace.fencing_token, list(workspace.holds), lines
