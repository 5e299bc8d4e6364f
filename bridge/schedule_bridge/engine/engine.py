"""The engine as the service sees it: what can be asked of it, by name."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from schedule_bridge.core.refusal import Refused
from schedule_bridge.engine.directory import Part
from schedule_bridge.engine.errors import (
    ExecutionUnknownError,
    StoreUnavailableError,
    TriggerUnknownError,
)
from schedule_bridge.engine.keeper import Keeper
from schedule_bridge.engine.occurrences import Judgement, NotJudgedError
from schedule_bridge.engine.pruning import keep_pruning
from schedule_bridge.engine.registration import draw_up
from schedule_bridge.engine.tally import Tally
from schedule_bridge.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import (
        Duration,
        Execution,
        ExecutionId,
        Instant,
        State,
        TriggerId,
        WorkspaceId,
    )
    from schedule_bridge.engine.answers import RequestName
    from schedule_bridge.engine.clock import Clock
    from schedule_bridge.engine.commits import Tell
    from schedule_bridge.engine.house import House
    from schedule_bridge.engine.occurrences import Occurrence
    from schedule_bridge.engine.presence import Link
    from schedule_bridge.engine.registration import Draft
    from schedule_bridge.engine.settings import Settings
    from schedule_bridge.engine.tenure import Tenure
    from schedule_bridge.store import DecisionQuery, ExecutionQuery, Store, TriggerPast

T = TypeVar("T")


class Engine:
    """The one writer of its workspaces. Whatever decides may raise StoreUnavailableError."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Clock,
        *,
        tally: Tally | None = None,
        tenure: Tenure | None = None,
        make_part: Callable[[], Part] = Part,
    ) -> None:
        """`tenure` is how long the store is this engine's, for good if None.

        `make_part` makes what a memory keeps its triggers and executions in.
        """
        self.store = store
        self.started_at: Instant = 0
        self._settings = settings
        self._clock = clock
        self.tally = tally or Tally()
        self._keeper = Keeper(
            store, settings, clock, tally=self.tally, tenure=tenure, make_part=make_part
        )
        self.presence = self._keeper.presence

    async def start(self) -> None:
        """Opens the store, reads memory back and begins to keep time."""
        await self._keeper.start()
        self.started_at = self.now()
        self.spawn(keep_pruning(self.store, self._keeper, self._settings, self._clock))

    async def stop(self) -> None:
        """Commits what was accepted, then lets go of the store."""
        await self._keeper.stop()

    def disown(self) -> None:
        """Somebody else may decide now: memory and connections are dropped, and stay so."""
        self._keeper.disown()

    def now(self) -> Instant:
        """Engine time."""
        return self._keeper.now()

    @property
    def ahead(self) -> Duration:
        """How far engine time runs ahead of the wall clock."""
        return self._keeper.ahead

    @property
    def ready(self) -> bool:
        """Whether decisions can be made now."""
        return self._keeper.ready

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs something beside the decisions, until the engine stops."""
        self._keeper.spawn(work)

    def knows_trigger(self, trigger_id: TriggerId) -> bool:
        """Whether a trigger of that id is registered here, durable or about to be."""
        house = self._keeper.open_house()
        return house is not None and trigger_id in house.memory.registrations

    def runs(self, execution_id: ExecutionId) -> bool:
        """Whether an execution of that id is active here, durable or about to be."""
        house = self._keeper.open_house()
        return house is not None and execution_id in house.machine.world.executions

    @property
    def is_vacant(self) -> bool:
        """Whether nothing is declared, active or connected, so that nothing comes by itself."""
        house = self._keeper.open_house()
        return house is not None and not (
            house.memory.registrations or house.machine.world.executions or self.presence.links()
        )

    # decisions about triggers and workspaces

    async def declare(self, raw: Mapping[str, Any]) -> bool:
        """Sets a trigger from a validated body; whether it is a new one.

        Raises:
            ScheduleError: its schedule means nothing.
        """
        draft = await asyncio.to_thread(draw_up, raw, self.now())
        return await self._keeper.decide(lambda house, now: house.declarations.declare(draft, now))

    async def remove(self, trigger_id: TriggerId) -> None:
        """Removes a trigger (R14).

        Raises:
            TriggerUnknownError: there is none of that id.
        """
        await self._keeper.decide(
            lambda house, now: house.declarations.remove(_known(house, trigger_id), now)
        )

    async def set_workspace(self, workspace_id: WorkspaceId, limit: int) -> None:
        """Sets a workspace's limit (R16)."""
        await self._keeper.decide(lambda house, now: house.set_workspace(workspace_id, limit, now))

    async def on_trigger(
        self,
        trigger_id: TriggerId,
        request: RequestName,
        decide: Callable[[House, Instant], T],
    ) -> T:
        """Decides about a trigger, once for a name; a repeat gets the first answer.

        Raises:
            TriggerUnknownError: there is none of that id.
            KeyReusedError: the name came before with another body.
        """
        return await self._keeper.decide(_once_on_trigger(trigger_id, request, decide))

    def on_trigger_now(
        self, trigger_id: TriggerId, request: RequestName, decide: Callable[[House, Instant], T]
    ) -> T:
        """As `on_trigger`, but answers before it is durable: to be told by `when_durable`."""
        return self._keeper.decide_now(_once_on_trigger(trigger_id, request, decide))

    def when_durable(self, tell: Tell) -> None:
        """Tells it once all that has been decided so far is durable, or never will be."""
        self._keeper.when_durable(tell)

    async def occur(
        self, event: Occurrence, request: RequestName, view: Callable[[list[Decision]], T]
    ) -> T:
        """Fires the triggers that accept an event (R27), once for a name of the request.

        Conditions are judged off the loop, since a large payload takes long; a trigger that is
        declared meanwhile is judged as well.

        Raises:
            KeyReusedError: the name came before with another body.
        """
        judgement = Judgement(event)

        def once(house: House, now: Instant) -> T:
            return house.once(
                request, event.workspace_id, lambda: view(house.occur(judgement, now)), now
            )

        while True:
            subscribers = (await self.house()).memory.subscriptions
            to_judge = judgement.open_among(subscribers.of(event.workspace_id, event.kind))
            if to_judge:
                await asyncio.to_thread(judgement.judge, to_judge)
            with suppress(NotJudgedError):
                return await self._keeper.decide(once)

    # decisions about executions

    async def on_execution(
        self,
        execution_id: ExecutionId,
        request: RequestName,
        decide: Callable[[House, Instant], T],
    ) -> T:
        """Decides about an execution, once for a name; a repeat gets the first answer.

        Raises:
            Refused: `decide` refused; nothing has changed.
            ExecutionUnknownError: there is none of that id.
            KeyReusedError: the name came before with another body.
        """
        # Not durable yet, perhaps: then what is decided on it is answered after it, or not at all.
        execution = self._keeper.active(execution_id) or await self.execution(execution_id)
        if execution is None:
            raise ExecutionUnknownError(execution_id)
        return await self._keeper.decide(_once_on_execution(execution, request, decide))

    def on_execution_now(
        self, execution_id: ExecutionId, request: RequestName, decide: Callable[[House, Instant], T]
    ) -> T:
        """As `on_execution` of one that is active, but answers before it is durable."""
        execution = self._keeper.active(execution_id)
        if execution is None:
            raise ExecutionUnknownError(execution_id)
        return self._keeper.decide_now(_once_on_execution(execution, request, decide))

    def claim(self, execution_id: ExecutionId, claimant: Link) -> Execution:
        """Makes a pending execution running (R17); to be told by `when_durable`.

        Raises:
            Refused: it is not pending and not this session's already, or another client's, or
                there is none of that id; that, too, holds only once it is durable.
            StoreUnavailableError: nothing is decided at present.
        """
        return self._keeper.decide_now(
            lambda house, now: house.runs.claim(execution_id, now, claimant=claimant)
        )

    def finish(
        self,
        execution_id: ExecutionId,
        outcome: State,
        *,
        error: str | None = None,
        ended_at: Instant | None = None,
        reporter: Link,
    ) -> str | None:
        """Ends an execution by its own report; None, or why the report was ignored.

        To be told by `when_durable`.

        Raises:
            StoreUnavailableError: nothing is decided at present.
        """

        def decide(house: House, now: Instant) -> str | None:
            try:
                house.runs.finish(
                    execution_id, outcome, now, error=error, ended_at=ended_at, reporter=reporter
                )
            except Refused as refused:
                return refused.refusal.value
            return None

        return self._keeper.decide_now(decide)

    async def caught_up(self) -> None:
        """Waits until nothing is left of what was due, which goes before any request (R18).

        Raises:
            StoreUnavailableError: nothing is decided at present.
        """
        await self._keeper.caught_up()

    # clients

    async def connect(self, link: Link) -> None:
        """A client has connected; what another session of it had claimed is interrupted."""
        await self._keeper.decide(lambda house, now: house.attendance.connect(link, now))

    async def arrive(
        self, link: Link, declared: Sequence[Draft], runs: Sequence[ExecutionId]
    ) -> list[TriggerId] | None:
        """The client said `here`: sets its triggers in one commit; which ones are detached.

        None: another connection has replaced this one meanwhile.
        """
        return await self._keeper.decide(
            lambda house, now: house.attendance.arrive(link, declared, set(runs), now)
        )

    async def welcome(self, link: Link, runs: Sequence[ExecutionId]) -> None:
        """After `arrive` was answered: tells which of `runs` have ended, then offers starts."""
        for execution_id in runs:
            execution = await self.execution(execution_id)
            if execution is None or execution.state.terminal:
                link.ended(execution_id, execution)
        await self._keeper.decide(lambda house, now: house.attendance.welcome(link, now))

    async def leave(self, link: Link, *, disconnected: bool) -> None:
        """The client said `away`, or its connection is lost."""
        try:
            await self._keeper.decide(
                lambda house, now: house.attendance.leave(link, now, disconnected=disconnected)
            )
        except StoreUnavailableError:
            self.presence.leave(link, disconnected=disconnected)

    # questions

    async def house(self) -> House:
        """The house, once all that it shows is durable. For reading only."""
        return await self._keeper.house()

    async def execution(self, execution_id: ExecutionId) -> Execution | None:
        """An execution, active or ended, or None."""
        house = await self.house()
        active = house.machine.world.executions.get(execution_id)
        return active or await self._ask(lambda: self.store.execution(execution_id))

    async def executions(self, query: ExecutionQuery) -> list[Execution]:
        """Executions, newest first."""
        return await self._ask(lambda: self.store.executions(query))

    async def decisions(self, query: DecisionQuery) -> list[tuple[int, Decision]]:
        """Decisions, newest first."""
        return await self._ask(lambda: self.store.decisions(query))

    async def pasts(
        self, trigger_ids: Sequence[TriggerId], *, runs: int, missed: int
    ) -> dict[TriggerId, TriggerPast]:
        """What history holds of each trigger, with at most so many runs and missed stretches."""
        return await self._ask(lambda: self.store.pasts(trigger_ids, runs=runs, missed=missed))

    async def _ask(self, question: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What history says, once all that was decided is in it."""
        await self._keeper.durable()
        try:
            return await question()
        except StoreError as error:
            raise StoreUnavailableError(str(error)) from error


def _once_on_trigger(
    trigger_id: TriggerId, request: RequestName, decide: Callable[[House, Instant], T]
) -> Callable[[House, Instant], T]:
    def once(house: House, now: Instant) -> T:
        if trigger_id not in house.memory.registrations:
            before = house.memory.answers.find_anywhere(request)
            if before is not None:  # it was decided, and the trigger removed since
                repeated: T = before.answer
                return repeated
        workspace_id = house.memory.config_of(_known(house, trigger_id)).workspace_id
        return house.once(request, workspace_id, lambda: decide(house, now), now)

    return once


def _once_on_execution(
    execution: Execution, request: RequestName, decide: Callable[[House, Instant], T]
) -> Callable[[House, Instant], T]:
    def once(house: House, now: Instant) -> T:
        if execution.state.terminal and execution.jobs:
            house.memory.ended.remember(execution)
        return house.once(request, execution.workspace_id, lambda: decide(house, now), now)

    return once


def _known(house: House, trigger_id: TriggerId) -> TriggerId:
    if trigger_id not in house.memory.registrations:
        raise TriggerUnknownError(trigger_id)
    return trigger_id
