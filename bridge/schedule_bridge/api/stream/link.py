"""One connection as the engine sees it: what is told is queued and sent in order."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from aiohttp import WSMsgType

from schedule_bridge.api.stream import frames
from schedule_bridge.api.views import (
    execution_view,
    instant,
    next_run,
    warnings,
    workspace_view,
)
from schedule_bridge.core.waiting import what_it_waits_for
from schedule_bridge.engine import StoreUnavailableError
from schedule_bridge.wire.codec import Media, encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aiohttp import web

    from schedule_bridge.api.context import Bridge
    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import (
        ClientId,
        Execution,
        ExecutionId,
        TriggerId,
        WorkspaceId,
    )
    from schedule_bridge.engine.house import House

REPLACED: Final = 4002
SLOW: Final = 4005
STATE_LOST: Final = 4006
_QUEUED_AT_MOST: Final = 10_000
_PING_EVERY: Final = 15.0
_PINGS_MISSED_AT_MOST: Final = 2


class StreamLink:
    """A client's WebSocket. Telling never waits; a client that does not read is dropped."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        media: Media,
        bridge: Bridge,
        *,
        client_id: ClientId,
        session_id: str,
        workspace_id: WorkspaceId,
    ) -> None:
        self.client_id = client_id
        self.session_id = session_id
        self.workspace_id = workspace_id
        self.media = media
        self._socket = socket
        self._bridge = bridge
        self._outgoing: asyncio.Queue[frames.Frame | None] = asyncio.Queue()
        self._pong = asyncio.Event()
        self._close_code: int | None = None
        self._missed_pings = 0

    # what the engine tells

    def offer(self, execution: Execution) -> None:
        """A start to be claimed (R17)."""
        self.send(frames.offer(execution))

    def ended(self, execution_id: ExecutionId, execution: Execution | None) -> None:
        """An execution ended otherwise than by the client's own report."""
        self.send(frames.ended(execution_id, execution))

    def decided(self, decision: Decision) -> None:
        """What came of a firing."""
        self.send(frames.decision(decision))

    def news(self, executions: Iterable[ExecutionId], triggers: Iterable[TriggerId]) -> None:
        """What has changed; gathered off this call, as it may need the store."""
        self._bridge.engine.spawn(self._send_news(list(executions), list(triggers)))

    def close(self) -> None:
        """Drops the connection; the client's state is compared when it comes back."""
        self.shut(STATE_LOST)

    # the connection

    def send(self, frame: frames.Frame) -> None:
        """Queues a frame."""
        if self._outgoing.qsize() >= _QUEUED_AT_MOST:
            self.shut(SLOW)
        elif self._close_code is None:
            self._outgoing.put_nowait(frame)

    def shut(self, code: int) -> None:
        """Closes the connection once what is queued was sent."""
        if self._close_code is None:
            self._close_code = code
            self._outgoing.put_nowait(None)

    async def write(self) -> None:
        """Sends what is queued until the connection is shut."""
        with suppress(ConnectionError):
            while (frame := await self._outgoing.get()) is not None:
                await self._send_now(frame)
        await self._socket.close(code=self._close_code or REPLACED)

    async def watch(self) -> None:
        """Pings the peer; one that misses two pings is dropped."""
        with suppress(ConnectionError):
            while self._missed_pings < _PINGS_MISSED_AT_MOST:
                await asyncio.sleep(_PING_EVERY)
                self._missed_pings += 1
                await self._socket.ping()
        await self._socket.close()

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

    async def _send_now(self, frame: frames.Frame) -> None:
        data = encode(self.media, frame)
        if self.media is Media.JSON:
            await self._socket.send_frame(data, WSMsgType.TEXT)
        else:
            await self._socket.send_bytes(data)

    async def _send_news(self, executions: list[ExecutionId], triggers: list[TriggerId]) -> None:
        try:
            views = [await self._execution_view(each) for each in executions]
            house = await self._bridge.engine.house()
        except StoreUnavailableError:
            return  # news are not kept
        self.send(
            {
                "type": "news",
                "executions": [view for view in views if view is not None],
                "triggers": [
                    _trigger_news(house, each) for each in triggers if _is_known(house, each)
                ],
                "workspace": workspace_view(house.machine.world.workspace(self.workspace_id)),
            }
        )

    async def _execution_view(self, execution_id: ExecutionId) -> frames.Frame | None:
        execution = await self._bridge.engine.execution(execution_id)
        if execution is None:
            return None
        world = (await self._bridge.engine.house()).machine.world
        waits = None if execution.state.terminal else what_it_waits_for(world, execution)
        return execution_view(execution, waits)


def _is_known(house: House, trigger_id: TriggerId) -> bool:
    return trigger_id in house.memory.registrations


def _trigger_news(house: House, trigger_id: TriggerId) -> frames.Frame:
    registration = house.memory.registrations[trigger_id]
    trigger = house.machine.world.triggers[trigger_id]
    return {
        "triggerId": trigger_id,
        "nextRun": instant(next_run(registration, trigger)),
        "pausedSince": instant(trigger.paused_since),
        "warnings": warnings(registration),
    }
