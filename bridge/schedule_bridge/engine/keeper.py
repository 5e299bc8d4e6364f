"""One house over one store: one decision after the other, one commit for what came together.

Whoever asks is answered only when what was decided is durable. When the store fails, all that is
not durable is thrown away and memory is read back, with growing pauses, until the store can be
written again; meanwhile nothing is decided.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from schedule_bridge.core.model import SECOND
from schedule_bridge.engine.clock import Alarm, Clock, EngineClock, sleep
from schedule_bridge.engine.commits import Commits
from schedule_bridge.engine.directory import Part
from schedule_bridge.engine.errors import StoreUnavailableError
from schedule_bridge.engine.garbage import let_go, made_to_stay, search_seldom
from schedule_bridge.engine.house import House
from schedule_bridge.engine.memory import Memory
from schedule_bridge.engine.presence import Presence
from schedule_bridge.store import Batch, DamagedStoreError, StaleEpochError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from schedule_bridge.core.model import Duration, Execution, ExecutionId, Instant
    from schedule_bridge.engine.commits import Tell
    from schedule_bridge.engine.settings import Settings
    from schedule_bridge.engine.tally import Tally
    from schedule_bridge.engine.tenure import Tenure
    from schedule_bridge.store import Snapshot, Store

T = TypeVar("T")

log = logging.getLogger("schedule_bridge.engine")

_LONGEST_SLEEP: Duration = 15 * SECOND
"""How long a leap of the wall clock may go unnoticed; peers are pinged as often."""
_SHORT: Duration = SECOND // 50
"""A wait that no system makes much longer than it should be."""
_LEAD: Duration = SECOND // 500
_IN_ONE_TURN = 64
"""How much of what is due is handled before others have the loop: some 3 ms, one commit's worth."""
_PAUSES: tuple[Duration, ...] = (SECOND // 5, SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND)
"""Between attempts to read back; the last one repeats. They grow until a commit has counted."""
_UNAVAILABLE = "The store cannot be used at present."
_DISOWNED = "Another bridge may decide for this workspace now."


class Keeper:
    """Keeps the house: opens it, wakes it when something is due, commits, and recovers."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Clock,
        *,
        tally: Tally,
        tenure: Tenure | None = None,
        make_part: Callable[[], Part] = Part,
    ) -> None:
        """`tenure` is how long the store is this keeper's; None: for good.

        `make_part` makes what a memory keeps its triggers and executions in.
        """
        self._make_part = make_part
        self._part = Part()
        self.presence = Presence(self._await_news)
        self.tally = tally
        self._tenure = tenure
        self._store = store
        self._settings = settings
        self._machine_clock = clock
        self._clock: EngineClock
        self._commits: Commits
        self._house: House | None = None
        self._wake: Alarm | None = None
        self._rings_at: Duration = 0
        self._news: Alarm | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._stopping = False
        self._attempts = 0
        self._trouble = _UNAVAILABLE

    async def start(self) -> None:
        """Opens the store, reads memory back and begins to keep time."""
        search_seldom()
        await self._store.open()
        self._commits = Commits(
            self._store, self.tally, on_success=self._store_works, on_failure=self._store_failed
        )
        try:
            with made_to_stay():
                snapshot = await self._store.load()
                self._clock = EngineClock(self._machine_clock, snapshot.clock)
                self._furnish(snapshot, "down")
                del snapshot
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Commits what was accepted, then lets go of the store."""
        self._stopping = True
        could_commit, self._house = self._house is not None, None
        self._strike_part()
        let_go()
        for alarm in (self._wake, self._news):
            if alarm is not None:
                alarm.cancel()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._commits.close()
        if could_commit:
            await self._keep_clock()
        await self._store.close()

    def disown(self) -> None:
        """Somebody else may decide now: memory and connections are dropped, and stay so."""
        self._stopping = True
        self._trouble = _DISOWNED
        self._drop_memory()

    async def _keep_clock(self) -> None:
        """So that engine time goes on from here, even if the wall clock is behind it."""
        with suppress(StoreError):
            await self._store.append(Batch(clock=self.now()))

    # time

    def now(self) -> Instant:
        """Engine time."""
        return self._clock.read_only()

    @property
    def ahead(self) -> Duration:
        """How far engine time runs ahead of the wall clock."""
        return self._clock.ahead

    # decisions

    async def decide(self, work: Callable[[House, Instant], T]) -> T:
        """Does what is due, then `work`, at one instant; answers when it is durable.

        Raises:
            StoreUnavailableError: nothing is decided at present, or this could not be written.
        """
        try:
            return self.decide_now(work)
        finally:
            await self._commits.durable()  # a refusal, too, may rest on what is not durable yet

    def decide_now(self, work: Callable[[House, Instant], T]) -> T:
        """As `decide`, but answers before it is durable: to be told by `when_durable`.

        Raises:
            StoreUnavailableError: nothing is decided at present.
        """
        house = self._open_house()
        try:
            return work(house, self._keep_time(house))
        finally:
            self._after_work(house)

    def when_durable(self, tell: Tell) -> None:
        """Tells it once all that has been decided so far is durable, or never will be."""
        self._commits.when_durable(tell)

    async def caught_up(self) -> None:
        """Waits until nothing is left of what was due: who asks for a decision sooner decides it.

        Raises:
            StoreUnavailableError: nothing is decided at present.
        """
        while self._open_house().is_behind:
            await self._commits.durable()
            await asyncio.sleep(0)

    async def house(self) -> House:
        """The house, once all that it shows is durable. For reading only."""
        await self._commits.durable()
        return self._open_house()

    def active(self, execution_id: ExecutionId) -> Execution | None:
        """An execution that is active, whether that is durable or not. To decide on, not to tell.

        Raises:
            StoreUnavailableError: nothing is decided at present.
        """
        return self._open_house().machine.world.executions.get(execution_id)

    async def durable(self) -> None:
        """Waits until all that has been decided so far is durable."""
        await self._commits.durable()

    def forget_answers(self, before: Instant) -> None:
        """Forgets the answers to requests that named themselves before an instant."""
        if self._house is not None:
            self._house.memory.answers.forget_before(before)

    @property
    def ready(self) -> bool:
        """Whether decisions can be made now."""
        return self._house is not None

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs something beside the decisions, until the keeper stops."""
        task = asyncio.create_task(work)
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

    def open_house(self) -> House | None:
        """The house, if decisions can be made now, whatever of it is durable."""
        if self._tenure is not None and not self._tenure.holds():
            self._tenure.lose()
        return self._house

    def _open_house(self) -> House:
        house = self.open_house()
        if house is None:
            raise StoreUnavailableError(self._trouble)
        return house

    # keeping time

    def _keep_time(self, house: House) -> Instant:
        house.handle_due()  # what is left of before
        now = self._begin_due(house)
        house.handle_due()
        return now

    def _begin_due(self, house: House) -> Instant:
        now, leap = self._clock.read()
        if leap:
            house.shift(leap, now)
        house.begin_due(now)
        return now

    def _after_work(self, house: House) -> None:
        if house is not self._house:
            return
        self._commits.nudge()
        self._arm(house)

    def _arm(self, house: House) -> None:
        if house.is_behind:
            self._go_on()
            return
        due = house.memory.agenda.next_instant()
        monotonic = self._machine_clock.monotonic()
        look = _LONGEST_SLEEP - monotonic % _LONGEST_SLEEP  # at full multiples, as peers are pinged
        delay = look if due is None else _wait_until(due, self._clock.read_only(), look)
        rings_at = monotonic + delay
        if self._wake is not None:
            if self._rings_at <= rings_at:
                return  # early enough, and it is armed again then
            self._wake.cancel()
        self._rings_at = rings_at
        self._wake = self._machine_clock.call_later(delay, self._woken)

    def _go_on(self) -> None:
        """The rest of what is due has its turn soon; so it is decided while what was commits."""
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        self._commits.when_calm(self._ring_soon)

    def _ring_soon(self) -> None:
        if self._wake is None:
            self._rings_at = self._machine_clock.monotonic()
            self._wake = self._machine_clock.call_later(0, self._woken)

    def _woken(self) -> None:
        """A timer may wake early: what is not due yet is left, and the timer is armed again."""
        self._wake = None
        house = self.open_house()
        if house is None:
            return
        try:
            if not house.is_behind:
                self._begin_due(house)
            house.handle_due(_IN_ONE_TURN)
        except Exception:
            log.exception("Keeping time failed.", extra={"action": "wake"})
        self._after_work(house)

    def _await_news(self) -> None:
        if self._news is None:
            self._news = self._machine_clock.call_later(self._settings.news_every, self._tell_news)

    def _tell_news(self) -> None:
        self._news = None
        self.presence.tell_news()

    # the store

    def _furnish(self, snapshot: Snapshot, was_off: str) -> None:
        """Makes the house out of what the store holds."""
        now, leap = self._clock.read()
        house = House(
            self._remember(snapshot),
            self.presence,
            self._commits,
            self._settings,
            booted_at=now,
            was_off=was_off,
        )
        if leap:
            house.shift(leap, now)
        house.boot(now)
        self._house = house
        self._after_work(house)

    def _remember(self, snapshot: Snapshot) -> Memory:
        self._part = self._make_part()
        try:
            return Memory(snapshot, self._settings, self._part)
        except (LookupError, ValueError, TypeError) as error:
            self._strike_part()
            raise DamagedStoreError(
                f"What the store holds contradicts itself ({error!r}). See what `schedule-bridge "
                "doctor` says, and put a backup in its place."
            ) from error

    def _store_works(self) -> None:
        self._attempts = 0

    async def _store_failed(self, error: Exception) -> None:
        """Throws away what is in memory and begins to read back."""
        if self._lost(error):
            return
        log.error(
            "%s Nothing is decided until it can be written.", error, extra={"action": "store"}
        )
        self._trouble = str(error)
        self._drop_memory()
        if not self._stopping:
            self.spawn(self._recover())

    def _lost(self, error: Exception) -> bool:
        """Whether the store is somebody else's, so that nothing is to be read back."""
        if self._tenure is None or not isinstance(error, StaleEpochError):
            return False
        self._tenure.lose()
        return True

    def _strike_part(self) -> None:
        self._part.strike()
        self._part = Part()

    def _drop_memory(self) -> None:
        self._house = None
        self._strike_part()
        let_go()
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        for link in self.presence.links():
            link.close()  # on its next connection the client's state is compared with ours

    async def _recover(self) -> None:
        while True:
            await sleep(self._machine_clock, _PAUSES[min(self._attempts, len(_PAUSES) - 1)])
            self._attempts += 1
            try:
                await self._store.reopen()
                # A full disk can be read, and is of no use: only what can be written counts.
                await self._store.append(Batch(clock=self.now()))
                with made_to_stay():
                    self._furnish(await self._store.load(), "store")
            except Exception as error:
                if self._lost(error):
                    return
                self._trouble = str(error)
                log.warning("The store cannot be used yet: %s", error, extra={"action": "store"})
            else:
                log.warning("The store can be written again.", extra={"action": "store"})
                return


def _wait_until(due: Instant, now: Instant, look: Duration) -> Duration:
    """How long to sleep at first; the rest of a long wait is waited for by itself.

    Of what is not due soon, until the next look at the wall clock, `look` from now.

    A system may end a wait late by a thousandth of it (Linux does), and in whole milliseconds.
    """
    left = max(due - now, 0)
    if left > _LONGEST_SLEEP:
        return look
    return left if left <= _SHORT else left - left // 1000 - _LEAD
