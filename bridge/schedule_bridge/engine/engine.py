"""The engine: one decision after the other, one commit for what came together, then the answer.

Whoever calls gets an answer only when what was decided is durable. When the store fails, all
that is not durable is thrown away and memory is read back, with growing pauses, until the
store can be written again; meanwhile nothing is decided.
"""

from __future__ import annotations

import asyncio
import logging
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from schedule_bridge.core.model import SECOND, ClientId, ExecutionId, State, TriggerId
from schedule_bridge.core.refusal import Refused
from schedule_bridge.engine.answers import Answers
from schedule_bridge.engine.clock import Clock, EngineClock
from schedule_bridge.engine.commits import Commits
from schedule_bridge.engine.errors import (
    ExecutionUnknownError,
    StoreUnavailableError,
    TriggerUnknownError,
)
from schedule_bridge.engine.house import House
from schedule_bridge.engine.memory import Memory
from schedule_bridge.engine.presence import Presence
from schedule_bridge.engine.registration import register
from schedule_bridge.store import IdempotentAnswer, PruneLimits, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.events import Event
    from schedule_bridge.core.machine import FireRequest, Machine
    from schedule_bridge.core.model import Duration, Execution, Instant, WorkspaceId
    from schedule_bridge.engine.presence import Link
    from schedule_bridge.engine.registration import Registration
    from schedule_bridge.engine.settings import Settings
    from schedule_bridge.store import DecisionQuery, ExecutionQuery, MissedStretch, Store

T = TypeVar("T")

log = logging.getLogger("schedule_bridge.engine")

_LONGEST_SLEEP: Duration = 10 * SECOND
"""How long a leap of the wall clock may go unnoticed."""
_RETRY_SECONDS = (0.2, 1, 5, 15, 30)


class Engine:
    """The one writer of its workspaces."""

    def __init__(self, store: Store, settings: Settings, clock: Clock) -> None:
        self.store = store
        self.settings = settings
        self.presence = Presence()
        self.started_at: Instant = 0
        self._machine_clock = clock
        self._clock: EngineClock
        self._house: House | None = None
        self._answers: Answers
        self._commits: Commits
        self._wake: asyncio.TimerHandle | None = None
        self._news: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Opens the store, reads memory back and begins to keep time."""
        await self.store.open()
        self._commits = Commits(self.store, self._store_failed)
        await self._read_back()
        self.started_at = self.now()
        self.spawn(self._prune())

    async def stop(self) -> None:
        """Commits what was accepted, then lets go of the store."""
        for handle in (self._wake, self._news):
            if handle is not None:
                handle.cancel()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._house = None
        await self._commits.close()
        await self.store.close()

    # time

    def now(self) -> Instant:
        """Engine time."""
        return self._read_clock()[0]

    @property
    def ahead(self) -> Duration:
        """How far engine time runs ahead of the wall clock."""
        return self._clock.ahead

    def _read_clock(self) -> tuple[Instant, Duration]:
        now, leap = self._clock.read()
        house = self._house
        if leap and house is not None:
            house.shift(leap, now)
        return now, leap

    # decisions about triggers

    async def declare(self, raw: Mapping[str, Any]) -> bool:
        """Sets a trigger from a validated body; whether it is a new one.

        Raises:
            ScheduleError: its schedule means nothing.
        """
        return await self._decide(lambda house, now: house.declare(raw, now))

    async def remove(self, trigger_id: TriggerId) -> None:
        """Removes a trigger (R14)."""
        await self._decide(lambda house, now: house.remove(_known(house, trigger_id), now))

    async def pause(self, trigger_id: TriggerId) -> None:
        """Pauses a trigger (R1)."""
        await self._decide(lambda house, now: house.pause(_known(house, trigger_id), now))

    async def resume(self, trigger_id: TriggerId) -> None:
        """Ends a trigger's pause."""
        await self._decide(lambda house, now: house.resume(_known(house, trigger_id), now))

    async def fire(
        self,
        trigger_id: TriggerId,
        request: Callable[[Instant], FireRequest],
        answer: Callable[[Sequence[Decision]], bytes],
        *,
        key: str | None,
        fingerprint: bytes,
    ) -> bytes:
        """Fires a trigger once for a key, and answers a repeat with the first answer.

        Raises:
            TriggerUnknownError: there is no such trigger.
            KeyReusedError: the key came before with another body.
        """

        def decide(house: House, now: Instant) -> bytes:
            workspace_id = house.memory.config_of(_known(house, trigger_id)).workspace_id
            if key is None:
                return answer(house.fire(request(now), now))
            before = self._answers.find(workspace_id, key, fingerprint)
            if before is not None:
                return before
            made = answer(house.fire(request(now), now))
            self._keep_answer(IdempotentAnswer(workspace_id, key, fingerprint, made, now))
            return made

        return await self._decide(decide)

    async def set_workspace(self, workspace_id: WorkspaceId, limit: int) -> None:
        """Sets a workspace's limit (R16)."""
        await self._decide(lambda house, now: house.set_workspace(workspace_id, limit, now))

    # decisions about executions

    async def claim(self, execution_id: ExecutionId, session_id: str | None) -> Execution:
        """Makes a pending execution running (R17).

        Raises:
            Refused: it is not pending, and not this session's already.
            ExecutionUnknownError: there is none of that id.
        """
        return await self._on_execution(
            execution_id, lambda house, now: house.claim(execution_id, session_id, now)
        )

    async def finish(
        self,
        execution_id: ExecutionId,
        outcome: State,
        *,
        error: str | None = None,
        ended_at: Instant | None = None,
        reporter: Link | None = None,
    ) -> str | None:
        """Ends an execution by its own report; None, or why the report was ignored."""

        def decide(house: House, now: Instant) -> str | None:
            try:
                house.finish(
                    execution_id, outcome, now, error=error, ended_at=ended_at, reporter=reporter
                )
            except Refused as refused:
                return refused.refusal.value
            return None

        return await self._decide(decide)

    async def command(
        self,
        execution_id: ExecutionId,
        verb: Callable[[Machine], Callable[[ExecutionId, Instant], list[Event]]],
    ) -> None:
        """Cancels, terminates, pauses or resumes: `verb` picks the machine's method.

        Raises:
            Refused: the execution is not in a state for it.
            ExecutionUnknownError: there is none of that id.
        """
        await self._on_execution(
            execution_id,
            lambda house, now: house.command(verb(house.machine), execution_id, now),
        )

    async def _on_execution(
        self, execution_id: ExecutionId, decide: Callable[[House, Instant], T]
    ) -> T:
        try:
            return await self._decide(decide)
        except Refused:
            if await self.execution(execution_id) is None:
                raise ExecutionUnknownError(execution_id) from None
            raise

    # clients

    def connect(self, link: Link) -> None:
        """A client has connected."""
        self.presence.connect(link)

    async def session_began(self, client_id: ClientId, session_id: str) -> None:
        """A new session of a client has taken over from another one."""
        await self._decide(lambda house, now: house.interrupt_session(client_id, session_id, now))

    async def arrive(
        self, link: Link, raws: Iterable[Mapping[str, Any]], runs: Sequence[ExecutionId]
    ) -> list[TriggerId]:
        """The client said `here`: sets its triggers in one commit; which ones are detached.

        Raises:
            ScheduleError: a schedule means nothing; the caller has checked them before.
        """
        raws = list(raws)

        def decide(house: House, now: Instant) -> list[TriggerId]:
            declared = [_registration(house, raw, now) for raw in raws]
            return house.arrive(link, declared, set(runs), now)

        return await self._decide(decide)

    async def welcome(self, link: Link, runs: Sequence[ExecutionId]) -> None:
        """After `arrive` was answered: tells which of `runs` have ended, then offers starts."""
        for execution_id in runs:
            execution = await self.execution(execution_id)
            if execution is None or execution.state.terminal:
                link.ended(execution_id, execution)
        await self._decide(lambda house, now: house.welcome(link, now))

    async def leave(self, link: Link, *, disconnected: bool) -> None:
        """The client said `away`, or its connection is lost."""
        try:
            await self._decide(lambda house, now: house.leave(link, now, disconnected=disconnected))
        except StoreUnavailableError:
            self.presence.leave(link, disconnected=disconnected)

    # questions

    async def house(self) -> House:
        """The house, once all that it shows is durable. For reading only."""
        await self._commits.durable()
        return self._open_house()

    async def registration(self, trigger_id: TriggerId) -> Registration:
        """A registered trigger.

        Raises:
            TriggerUnknownError: there is none of that id.
        """
        house = await self.house()
        return house.memory.registrations[_known(house, trigger_id)]

    async def execution(self, execution_id: ExecutionId) -> Execution | None:
        """An execution, active or ended, or None."""
        house = await self.house()
        active = house.machine.world.executions.get(execution_id)
        return active or await self.store.execution(execution_id)

    async def executions(self, query: ExecutionQuery) -> list[Execution]:
        """Executions, newest first."""
        await self._commits.durable()
        return await self.store.executions(query)

    async def decisions(self, query: DecisionQuery) -> list[tuple[int, Decision]]:
        """Decisions, newest first."""
        await self._commits.durable()
        return await self.store.decisions(query)

    async def missed(self, trigger_id: TriggerId, limit: int) -> Sequence[MissedStretch]:
        """The latest missed stretches of a trigger."""
        await self._commits.durable()
        return await self.store.missed(trigger_id, limit)

    async def counters(self, trigger_id: TriggerId) -> dict[str, int]:
        """How many decisions of each kind history holds for a trigger."""
        await self._commits.durable()
        return await self.store.counters(trigger_id)

    @property
    def ready(self) -> bool:
        """Whether decisions can be made now."""
        return self._house is not None

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs something beside the decisions, until the engine stops."""
        task = asyncio.create_task(work)
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

    # within

    async def _decide(self, work: Callable[[House, Instant], T]) -> T:
        """Does what is due, then `work`, at one instant; answers when it is durable."""
        house = self._open_house()
        try:
            now, _ = self._read_clock()
            house.run_due(now)
            answer = work(house, now)
        finally:
            self._after_work(house)
        await self._commits.durable()
        return answer

    def _open_house(self) -> House:
        if self._house is None:
            raise StoreUnavailableError("The store cannot be written at present.")
        return self._house

    def _after_work(self, house: House) -> None:
        if house is not self._house:
            return
        self._commits.nudge()
        self._arm_wake(house)
        if self._news is None:
            loop = asyncio.get_running_loop()
            self._news = loop.call_later(self.settings.news_every / SECOND, self._tell_news)

    def _tell_news(self) -> None:
        self._news = None
        self.presence.tell_news()

    def _arm_wake(self, house: House) -> None:
        if self._wake is not None:
            self._wake.cancel()
        due = house.memory.agenda.next_instant()
        now = self._clock.read_only()
        sleep = _LONGEST_SLEEP if due is None else min(max(due - now, 0), _LONGEST_SLEEP)
        loop = asyncio.get_running_loop()
        self._wake = loop.call_later(sleep / SECOND, self._woken)

    def _woken(self) -> None:
        """A timer may wake early: what is not due yet is left, and the timer is armed again."""
        house = self._house
        if house is None:
            return
        try:
            now, _ = self._read_clock()
            house.run_due(now)
        except Exception:
            log.exception("Keeping time failed.", extra={"action": "wake"})
        self._after_work(house)

    def _keep_answer(self, answer: IdempotentAnswer) -> None:
        self._answers.add(answer)
        self._commits.batch.answers.append(answer)

    async def _read_back(self) -> None:
        snapshot = await self.store.load()
        self._clock = EngineClock(self._machine_clock, snapshot.clock)
        now = self._clock.read()[0]
        self._answers = Answers(snapshot.answers, self.settings.keys_per_workspace)
        house = House(Memory(snapshot), self.presence, self._commits, self.settings, now)
        house.boot(now)
        self._house = house
        self._arm_wake(house)

    async def _store_failed(self, error: StoreError) -> None:
        """Throws away what is in memory and reads back until the store can be read again."""
        log.error(
            "%s Nothing is decided until it can be written.", error, extra={"action": "store"}
        )
        self._house = None
        if self._wake is not None:
            self._wake.cancel()
        for link in self.presence.links():
            link.close()  # on its next connection the client's state is compared with ours
        self.spawn(self._retry())

    async def _retry(self) -> None:
        for attempt in count():
            await asyncio.sleep(_RETRY_SECONDS[min(attempt, len(_RETRY_SECONDS) - 1)])
            try:
                await self._read_back()
            except StoreError as error:
                log.warning("Reading back failed: %s", error, extra={"action": "store"})
                continue
            log.warning("The store can be written again.", extra={"action": "store"})
            return

    async def _prune(self) -> None:
        """Deletes old history in small steps, between which decisions are committed."""
        while True:
            await asyncio.sleep(self.settings.prune_every / SECOND)
            now = self._clock.read_only()
            limits = PruneLimits(
                before=now - self.settings.history_kept,
                keep=self.settings.history_rows,
                keys_before=now - self.settings.keys_kept,
            )
            self._answers.forget_before(limits.keys_before)
            try:
                pruned = await self.store.prune(limits)
                while pruned:
                    pruned = await self.store.prune(limits)
            except StoreError as error:
                log.warning("Pruning failed: %s", error, extra={"action": "prune"})


def _known(house: House, trigger_id: TriggerId) -> TriggerId:
    if trigger_id not in house.memory.registrations:
        raise TriggerUnknownError(trigger_id)
    return trigger_id


def _registration(house: House, raw: Mapping[str, Any], now: Instant) -> Registration:
    return register(raw, house.memory.registrations.get(TriggerId(raw["triggerId"])), now)
