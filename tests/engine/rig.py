"""A real engine over a real file on a clock that is turned by hand."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import orjson

from databases.stores import sqlite_in
from schedule_bridge.core.machine import FireRequest, Machine
from schedule_bridge.core.model import LockKey, Source, State, TriggerId
from schedule_bridge.engine import Engine, House, RequestName, Settings, StoreUnavailableError
from schedule_bridge.store import DecisionQuery, ExecutionQuery

from .clock import MIDNIGHT, HandClock, let_tasks_run
from .link import Client
from .watched_store import WatchedStore

if TYPE_CHECKING:
    from pathlib import Path

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import Execution, ExecutionId, Instant
    from schedule_bridge.store import MissedStretch
    from store.open_stores import MakeStore

SECOND = 1_000_000
EVERY_MINUTE = {"kind": "interval", "every": 60}
EVERY_TEN_SECONDS = {"kind": "interval", "every": 10}


class Rig:
    """Commands by name; times in seconds since the beginning."""

    def __init__(
        self,
        folder: Path,
        settings: Settings | None = None,
        make_store: MakeStore = sqlite_in,
    ) -> None:
        self._folder = folder
        self._make_store = make_store
        self._settings = settings or Settings()
        self.clock = HandClock(self.settle)
        self.store: WatchedStore
        self.engine: Engine

    # its life

    async def start(self) -> None:
        self.store = WatchedStore(self._make_store(self._folder))
        self.engine = Engine(self.store, self._settings, self.clock)
        await self.engine.start()

    async def stop(self) -> None:
        await self.engine.stop()
        self.clock.forget_alarms()

    async def restart(self, *, down: float = 1) -> None:
        """Stops the bridge and starts it again so many seconds later."""
        await self.stop()
        self.clock.stand_still_for(down)
        await self.start()

    async def settle(self) -> None:
        """All that was set off is done, commits too."""
        for _ in range(3):
            await let_tasks_run()
            await self.store.idle()

    async def pass_time(self, seconds: float) -> None:
        await self.clock.pass_time(seconds)

    async def house(self) -> House:
        return await self.engine.house()

    # commands

    async def set(self, trigger_id: str = "t", **config: Any) -> bool:
        return await self.engine.declare({"triggerId": trigger_id, **config})

    async def fire(
        self,
        trigger_id: str = "t",
        payload: object = None,
        *,
        key: str | None = None,
        lock_key: str = "",
        body: str = "body",
    ) -> list[str]:
        """The verdicts of the answer; `body` stands for the request's own."""

        def decide(house: House, now: Instant) -> bytes:
            request = FireRequest(
                TriggerId(trigger_id), now, Source.MANUAL, payload, LockKey(lock_key), key=key
            )
            return orjson.dumps([each.verdict for each in house.fire(request, now)])

        name = RequestName(key, body.encode())
        answer: list[str] = orjson.loads(
            await self.engine.on_trigger(TriggerId(trigger_id), name, decide)
        )
        return answer

    async def command(self, verb: str, execution_id: ExecutionId) -> None:
        """One of the machine's verbs: cancel, terminate, pause or resume."""

        def decide(house: House, now: Instant) -> bytes:
            method = getattr(Machine, verb)
            house.runs.command(lambda of, at: method(house.machine, of, at), execution_id, now)
            return b""

        await self.engine.on_execution(execution_id, RequestName(None, b""), decide)

    async def pause(self, trigger_id: str = "t") -> None:
        def decide(house: House, now: Instant) -> bytes:
            house.pause(TriggerId(trigger_id), now)
            return b""

        await self.engine.on_trigger(TriggerId(trigger_id), RequestName(None, b""), decide)

    async def claim(self, execution: Execution) -> Execution:
        """As an API client does, without a session."""

        def decide(house: House, now: Instant) -> bytes:
            house.runs.claim(execution.execution_id, now)
            return b""

        await self.engine.on_execution(execution.execution_id, RequestName(None, b""), decide)
        return (await self.active())[execution.order]

    async def finish(self, execution: Execution, outcome: State = State.COMPLETED) -> None:
        def decide(house: House, now: Instant) -> bytes:
            house.runs.finish(execution.execution_id, outcome, now)
            return b""

        await self.engine.on_execution(execution.execution_id, RequestName(None, b""), decide)

    async def run(self, trigger_id: str = "t", **fire: Any) -> Execution:
        """Fires a trigger without a client and claims what starts."""
        await self.fire(trigger_id, **fire)
        newest = max((await self.active()).values(), key=lambda execution: execution.order)
        return await self.claim(newest)

    async def client(self, name: str = "c", session: str = "s1") -> Client:
        return await Client(self.engine, name, session).connect()

    # questions

    async def active(self) -> dict[int, Execution]:
        """The active executions by their order of creation."""
        world = (await self.house()).machine.world
        return {execution.order: execution for execution in world.executions.values()}

    async def states(self) -> list[str]:
        """The states of all executions, oldest first."""
        await self._quiet()
        found = await self.store.executions(ExecutionQuery())
        return [execution.state.value for execution in reversed(found)]

    async def ends(self) -> list[str]:
        """How executions ended, oldest first."""
        await self._quiet()
        found = await self.store.executions(ExecutionQuery())
        return [f"{each.state} {each.reason}" for each in reversed(found) if each.state.terminal]

    async def decisions(self) -> list[Decision]:
        """Oldest first."""
        await self._quiet()
        found = await self.store.decisions(DecisionQuery(limit=1000))
        return [decision for _, decision in reversed(found)]

    async def verdicts(self) -> list[str]:
        return [
            each.verdict.value + (f" {each.reason}" if each.reason else "")
            for each in await self.decisions()
        ]

    async def scheduled(self) -> list[float]:
        """The `scheduledAt` of every execution, oldest first, in seconds since the beginning."""
        await self._quiet()
        found = await self.store.executions(ExecutionQuery(limit=1000))
        return [self.seconds(execution.scheduled_at) for execution in reversed(found)]

    async def missed(self, trigger_id: str = "t") -> list[tuple[float, float, int, str]]:
        """Each missed stretch: from, to, count, reason; oldest first."""
        await self._quiet()
        pasts = await self.store.pasts([TriggerId(trigger_id)], runs=0, missed=100)
        return [self._stretch(each) for each in reversed(pasts[TriggerId(trigger_id)].missed)]

    def seconds(self, instant: Instant) -> float:
        return (instant - MIDNIGHT) / SECOND

    def _stretch(self, stretch: MissedStretch) -> tuple[float, float, int, str]:
        first, last = self.seconds(stretch.first_tick), self.seconds(stretch.last_tick)
        return (first, last, stretch.ticks, stretch.reason)

    async def _quiet(self) -> None:
        with suppress(StoreUnavailableError):
            await self.house()
