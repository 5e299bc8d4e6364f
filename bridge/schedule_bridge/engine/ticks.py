"""Ticks: dispatched once each, at or after their instant, or counted as missed (R23, R24)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core.agenda import Rank, Timer
from schedule_bridge.core.machine import FireRequest
from schedule_bridge.core.model import SECOND, Source
from schedule_bridge.store import MissedStretch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from schedule_bridge.core.model import Duration, Instant, TriggerId
    from schedule_bridge.engine.memory import Memory
    from schedule_bridge.engine.registration import Registration

CAUGHT_UP_AT_MOST = 100
_CATCH_UP_WINDOW_SECONDS = 3600


class Ticks:
    """Dispatches the ticks of all triggers over one memory."""

    def __init__(
        self,
        memory: Memory,
        *,
        wait: Duration,
        booted_at: Instant,
        was_off: str,
        fire: Callable[[FireRequest, Instant], None],
        note: Callable[[TriggerId, Instant | None], None],
        missed: Callable[[MissedStretch], None],
    ) -> None:
        """Makes a dispatcher.

        `was_off` is why ticks from before `booted_at` were missed; `fire` leads a tick through
        the gates, `note` keeps the first undecided tick, `missed` keeps a stretch.
        """
        self._memory = memory
        self._wait = wait
        self._booted_at = booted_at
        self._was_off = was_off
        self._fire = fire
        self._note = note
        self._missed = missed

    def arm(self, trigger_id: TriggerId) -> None:
        """Puts the next tick of a trigger on the agenda, in place of what was there."""
        registration = self._memory.registrations[trigger_id]
        tick = registration.next_tick
        if tick is None or self._is_detached(trigger_id):
            disarm(registration)
        else:
            self._memory.agenda.arm(_timer_of(registration), tick)

    def arm_all(self) -> None:
        """Puts the next ticks of all triggers on an agenda that has none of them yet."""
        self._memory.agenda.arm_all(self._timers())

    def _timers(self) -> Iterator[tuple[Timer, Instant]]:
        for trigger_id, registration in self._memory.registrations.items():
            tick = registration.next_tick
            if tick is not None and not self._is_detached(trigger_id):
                yield _timer_of(registration), tick

    def _is_detached(self, trigger_id: TriggerId) -> bool:
        return self._memory.machine.world.triggers[trigger_id].detached_since is not None

    def dispatch(self, trigger_id: TriggerId, now: Instant, *, client_is_here: bool) -> None:
        """Handles the next tick, which is due.

        A tick whose client is not here is parked: it is handled when the client is back, fired
        if that is within the wait, and no timer runs until then.
        """
        registration = self._memory.registrations[trigger_id]
        tick = registration.next_tick
        if tick is None:
            return
        if not client_is_here:
            registration.parked = True
            disarm(registration)
            return
        reason = "client" if registration.parked else "late"
        self._go_on(registration, now)
        after = tick - 1
        if now - tick <= self._wait:
            self._fire(FireRequest(trigger_id, tick, Source.SCHEDULE), now)
            after = tick
        if self._count_missed(registration, after, now, reason):
            self._catch_up(registration, after, now)

    def leave_out(self, trigger_id: TriggerId, now: Instant, reason: str) -> None:
        """Counts the ticks up to now as missed for good: nothing of them is caught up."""
        registration = self._memory.registrations[trigger_id]
        tick = registration.next_tick
        if tick is not None and tick <= now:
            self._go_on(registration, now)
            self._count_missed(registration, tick - 1, now, reason)

    def _go_on(self, registration: Registration, now: Instant) -> None:
        """R23: the next tick lies strictly after the time of this dispatch."""
        registration.parked = False
        registration.next_tick = registration.schedule.next_after(now)
        self._note(registration.trigger_id, registration.next_tick)
        self.arm(registration.trigger_id)

    def _count_missed(
        self, registration: Registration, after: Instant, now: Instant, reason: str
    ) -> bool:
        """Keeps the ticks with after < t <= now as stretches; whether there are any.

        What lies before the bridge's start was missed because it was off.
        """
        boot = max(after, min(self._booted_at, now))
        if reason == "detached":
            boot = after
        off = self._stretch(registration, (after, boot), now, self._was_off)
        since = self._stretch(registration, (boot, now), now, reason)
        return off or since

    def _stretch(
        self,
        registration: Registration,
        between: tuple[Instant, Instant],
        now: Instant,
        reason: str,
    ) -> bool:
        """Keeps the ticks after the first instant and up to the second."""
        missed = registration.schedule.missed_between(*between)
        if missed is None:
            return False
        self._missed(
            MissedStretch(
                trigger_id=registration.trigger_id,
                workspace_id=registration.workspace_id,
                first_tick=missed.first,
                last_tick=missed.last,
                ticks=missed.count,
                reason=reason,
                recorded_at=now,
            )
        )
        return True

    def _catch_up(self, registration: Registration, after: Instant, until: Instant) -> None:
        """R24: what `catchUp` says follows on missed ticks; the gates bound it."""
        raw = registration.raw
        match raw.get("catchUp"):
            case "latest":
                earliest, count = after, 1
            case "all":
                window = raw.get("catchUpWindowSeconds", _CATCH_UP_WINDOW_SECONDS)
                earliest, count = max(after, until - round(window * SECOND)), CAUGHT_UP_AT_MOST
            case _:
                return
        for tick in registration.schedule.latest_between(earliest, until, count):
            request = FireRequest(registration.trigger_id, tick, Source.SCHEDULE)
            self._fire(request, until)


def disarm(registration: Registration) -> None:
    """Takes the trigger's next tick off the agenda."""
    if registration.timer is not None:
        registration.timer.disarm()


def _timer_of(registration: Registration) -> Timer:
    """The one timer for all ticks of a trigger."""
    if registration.timer is None:
        registration.timer = Timer(Rank.TICK, registration.trigger_id, registration)
    return registration.timer
