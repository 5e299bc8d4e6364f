"""One connection as the engine sees it: what is told is queued and sent in order."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Final

from aiohttp import WSCloseCode

from schedule_bridge.api.stream import frames
from schedule_bridge.api.stream.outgoing import FRAME_KINDS
from schedule_bridge.api.views import (
    execution_view,
    instant,
    next_run,
    skipping_view,
    warnings,
    workspace_view,
)
from schedule_bridge.core.waiting import Lines
from schedule_bridge.engine import StoreUnavailableError
from schedule_bridge.wire.codec import encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aiohttp import web

    from schedule_bridge.api.limits import Limits
    from schedule_bridge.api.stream.outgoing import Outgoing
    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import (
        ClientId,
        Execution,
        ExecutionId,
        Instant,
        TriggerId,
        WorkspaceId,
    )
    from schedule_bridge.core.world import World
    from schedule_bridge.engine import Engine, House
    from schedule_bridge.wire.codec import Media

log = logging.getLogger("schedule_bridge.stream")

REPLACED: Final = 4002
STATE_LOST: Final = 4006
_PINGS_MISSED_AT_MOST: Final = 2
_ENDS_REMEMBERED: Final = 10_000


@dataclass(slots=True, frozen=True)
class Speaker:
    """Who speaks over a connection."""

    client_id: ClientId
    session_id: str
    workspace_id: WorkspaceId


class StreamLink:
    """A client's WebSocket. Telling never waits; a client that does not read is dropped."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport,
        outgoing: Outgoing,
        engine: Engine,
        limits: Limits,
        media: Media,
        speaker: Speaker,
    ) -> None:
        self.client_id = speaker.client_id
        self.session_id = speaker.session_id
        self.workspace_id = speaker.workspace_id
        self.media = media
        self.limits = limits
        self._socket = socket
        self._transport = transport
        self._engine = engine
        self._outgoing = outgoing
        self._pong = asyncio.Event()
        self._close_code: int | None = None
        self._missed_pings = 0
        self._behind_since: float | None = None
        self._ends_told: dict[ExecutionId, None] = {}

    # what the engine tells

    def offer(self, execution: Execution) -> None:
        """A start to be claimed (R17)."""
        self.send(frames.offer(execution))

    def ended(self, execution_id: ExecutionId, execution: Execution | None) -> None:
        """An execution ended otherwise than by the client's own report; told once a connection.

        A client that says `here` while the news are on their way still names the run.
        """
        if execution_id in self._ends_told:
            return
        self._ends_told[execution_id] = None
        if len(self._ends_told) > _ENDS_REMEMBERED:
            del self._ends_told[next(iter(self._ends_told))]
        self.send(frames.ended(execution_id, execution))

    def decided(self, decision: Decision) -> None:
        """What came of a firing."""
        self.send(frames.decision(decision))

    def news(self, executions: Iterable[ExecutionId], triggers: Iterable[TriggerId]) -> None:
        """What has changed; gathered off this call, as it may need the store."""
        self._engine.spawn(self._send_news(list(executions), list(triggers)))

    def close(self) -> None:
        """Drops the connection; the client's state is compared when it comes back."""
        self.shut(STATE_LOST)

    # the connection

    def send(self, frame: frames.Frame) -> None:
        """Queues a frame."""
        if self._close_code is not None:
            return
        self._outgoing.put(frame)
        if len(self._outgoing) <= self.limits.frames_queued:
            self._behind_since = None
        elif self._is_stuck():
            self._drop("does not read")

    def shut(self, code: int) -> None:
        """Closes the connection once what is queued was sent."""
        if self._close_code is None:
            self._close_code = code
            self._outgoing.end()

    def _is_stuck(self) -> bool:
        """Whether one piece or the whole queue has been on its way for too long.

        Many frames at once are no fault of the peer, many for ever are.
        """
        now = monotonic()
        self._behind_since = self._behind_since or now
        writing = self._outgoing.writing_since
        return (
            writing is not None and now - writing > self.limits.frame_seconds
        ) or now - self._behind_since > self.limits.behind_seconds

    async def greet(self, hello: frames.Frame) -> None:
        """Sends the first frame, before anything can close the connection."""
        with suppress(ConnectionError):  # the reader notices
            await self._socket.send_frame(encode(self.media, hello), FRAME_KINDS[self.media])

    async def write(self) -> None:
        """Sends what is queued until the connection is shut."""
        try:
            with suppress(ConnectionError):
                await self._outgoing.write()
        finally:  # without a writer the connection would be deaf
            await self._socket.close(code=self._close_code or WSCloseCode.INTERNAL_ERROR)

    async def watch(self) -> None:
        """Pings the peer; one that leaves two pings unanswered is dropped.

        At full multiples of the loop's time, so that a bridge at rest wakes once for all its peers
        and for its look at the wall clock.
        """
        loop, every = asyncio.get_running_loop(), self.limits.ping_every
        while True:
            now = loop.time()
            await asyncio.sleep(round(now / every + 1) * every - now)  # the nearest to one from now
            if self._missed_pings >= _PINGS_MISSED_AT_MOST:
                break
            self._missed_pings += 1
            await self._ping(self.limits.ping_every)
        self._drop("does not answer pings")

    def heard_pong(self) -> None:
        """The peer has answered a ping."""
        self._missed_pings = 0
        self._pong.set()

    async def answers_a_ping(self, within_seconds: float) -> bool:
        """Whether the peer is alive."""
        self._pong.clear()
        try:
            async with asyncio.timeout(within_seconds):
                await self._socket.ping()
                await self._pong.wait()
        except (TimeoutError, ConnectionError):
            return False
        return True

    async def _ping(self, within_seconds: float) -> None:
        """A ping waits for its turn behind what the peer has not read yet; not for ever."""
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(within_seconds):
                await self._socket.ping()

    def _drop(self, why: str) -> None:
        """Cuts the connection: whatever is queued for a peer like this would never leave."""
        log.warning("Client %s %s: dropped.", self.client_id, why, extra={"action": "stream"})
        self._close_code = WSCloseCode.ABNORMAL_CLOSURE
        self._transport.abort()

    async def _send_news(self, executions: list[ExecutionId], triggers: list[TriggerId]) -> None:
        try:
            found = [await self._engine.execution(each) for each in executions]
            house = await self._engine.house()
        except StoreUnavailableError:
            return  # news are not kept
        world = house.machine.world
        lines = Lines(world)
        self.send(
            {
                "type": "news",
                "executions": [
                    _execution_news(each, world, lines) for each in found if each is not None
                ],
                "triggers": [
                    _trigger_news(house, each, self._engine.now())
                    for each in triggers
                    if each in house.memory.registrations
                ],
                "workspace": workspace_view(world.workspace(self.workspace_id)),
            }
        )


def _execution_news(execution: Execution, world: World, lines: Lines) -> frames.Frame:
    active = world.executions.get(execution.execution_id)
    if active is None:
        return execution_view(execution, None)
    return execution_view(active, lines.waits_for(active))


def _trigger_news(house: House, trigger_id: TriggerId, now: Instant) -> frames.Frame:
    registration = house.memory.registrations[trigger_id]
    trigger = house.machine.world.triggers[trigger_id]
    return {
        "triggerId": trigger_id,
        "nextRun": instant(next_run(registration, trigger, now)),
        "pausedSince": instant(trigger.paused_since),
        "skipping": skipping_view(house.memory.skips.longest(trigger_id)),
        "warnings": warnings(registration),
    }
