"""A client with a stream, as Node-RED is one: it claims, runs, reports, loses its connection."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from aiohttp import ClientError, ClientWebSocketResponse, WSMsgType

from crash.cast import parts_of
from crash.history import Claim, Declared, End, Offer, Told, wall
from schedule_bridge.core.model import ExecutionId
from schedule_bridge.wire.schemas import validate

if TYPE_CHECKING:
    from random import Random

    from crash.stage import Stage

_SUBPROTOCOL = "schedule-bridge.v1.json"
_NEVER_FINISHED = 0.2
_HEARTBEAT_SECONDS = 4
"""A bridge that stands still closes nothing: its silence has to be noticed."""


class StreamClient:
    """One clientId over many connections and sessions.

    It keeps to api.md: what is unanswered is sent again on every connection before `here`, and
    `here` names the runs that it has claimed, confirmed or not.
    """

    def __init__(self, name: str, stage: Stage, random: Random, stop: asyncio.Event) -> None:
        self.name = name
        self.retired = False
        self._stage = stage
        self._random = random
        self._stop = stop
        self._parts = parts_of(name)
        self._workspace = self._parts[0].workspace_id
        self._number = 0
        self._session = ""
        self._heard = asyncio.Event()
        self._socket: ClientWebSocketResponse | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._restart()

    async def act(self) -> None:
        """Connects again and again, until it is told to stop."""
        while not self._stop.is_set():
            base = await self._stage.house.way_in()
            try:
                await self._connection(base)
            except (ClientError, OSError, TimeoutError):
                await asyncio.sleep(0.02)
            if not self.retired and self._random.random() < 0.25:
                self._restart()
            elif not self.retired and self._random.random() < 0.2:
                await asyncio.sleep(self._random.uniform(0, 3))
        for task in self._tasks:
            task.cancel()

    async def runs_nothing(self) -> None:
        """Waits until it knows that whatever it ran is over."""
        while self._runs:
            self._heard.clear()
            await self._heard.wait()

    async def retire(self) -> None:
        """From now on it declares nothing, and stays with its last session."""
        self.retired = True
        self._stage.history.last_sessions.add(self._session)
        if self._socket is not None:
            await self._socket.close()

    def _restart(self) -> None:
        """Its process has ended: all that it knew is gone."""
        self._session = self._stage.new_key(self.name)
        self._runs: set[ExecutionId] = set()
        self._unanswered: dict[int, dict[str, Any]] = {}
        self._here_asked: dict[int, tuple[int, tuple[str, ...]]] = {}
        for task in self._tasks:
            task.cancel()

    async def _connect(self, base: str) -> ClientWebSocketResponse:
        where = f"clientId={self.name}&sessionId={self._session}&workspaceId={self._workspace}"
        async with asyncio.timeout(self._stage.house.patience):
            return await self._stage.session.ws_connect(
                f"{base}/v1/stream?{where}",
                protocols=[_SUBPROTOCOL],
                headers={"Authorization": f"Bearer {self._stage.house.token}"},
                heartbeat=_HEARTBEAT_SECONDS,
            )

    async def _connection(self, base: str) -> None:
        async with await self._connect(base) as socket:
            self._socket = socket
            await self._send({"type": "hello", "protocol": 1, "version": "0"})
            for frame in list(self._unanswered.values()):
                await self._send(frame)
            await self._here()
            leaving = asyncio.create_task(self._leave_later(socket))
            try:
                async for message in socket:
                    if message.type is WSMsgType.TEXT:
                        await self._hear(json.loads(message.data))
            finally:
                leaving.cancel()
                self._socket = None
                for number in list(self._here_asked):
                    self._declared(number, done=False)

    async def _leave_later(self, socket: ClientWebSocketResponse) -> None:
        """Now and then it goes by itself, with or without saying so, or only says here again."""
        while True:
            await asyncio.sleep(self._random.expovariate(1 / 3))
            match self._random.randrange(4):
                case 0 if not self.retired:
                    await self._send({"type": "away"})
                    await asyncio.sleep(self._random.uniform(0, 0.5))
                    await socket.close()
                case 1 if not self.retired:
                    await socket.close()
                case 2:
                    await self._here()
                case _:
                    pass

    async def _here(self) -> None:
        parts = () if self.retired else self._parts
        if parts and self._random.random() < 0.1:
            parts = parts[:-1]
        self._number += 1
        triggers = [part.config for part in parts]
        self._here_asked[self._number] = (wall(), tuple(part.trigger_id for part in parts))
        await self._send(
            {"type": "here", "id": self._number, "triggers": triggers, "runs": sorted(self._runs)}
        )

    async def _hear(self, frame: dict[str, Any]) -> None:
        assert validate("frame-from-bridge", frame) == [], frame
        match frame["type"]:
            case "execution.start":
                await self._offered(frame)
            case "execution.ended":
                run = ExecutionId(frame["executionId"])
                self._runs.discard(run)
                self._stage.history.told.append(Told(self._session, run, frame["outcome"]))
            case "reply":
                self._answered(frame)
            case _:
                pass
        self._heard.set()

    async def _offered(self, frame: dict[str, Any]) -> None:
        self._stage.history.offers.append(Offer(self.name, self._session, frame))
        run = ExecutionId(frame["executionId"])
        self._stage.executions.append(run)
        if run in self._runs or self._random.random() < 0.05:
            return
        if self._random.random() < 0.05:
            await self._ask("finished", run, outcome="interrupted")
            return
        self._runs.add(run)
        await self._ask("started", run)

    def _answered(self, reply: dict[str, Any]) -> None:
        number = reply["re"]
        if number in self._here_asked:
            self._declared(number, done=True)
        asking = self._unanswered.pop(number, None)
        if asking is None:
            return
        run = ExecutionId(asking["executionId"])
        if asking["type"] == "started":
            self._claim_answered(run, confirmed=reply.get("confirmed", False))
        else:
            self._runs.discard(run)
            self._stage.history.ends.append(
                End(
                    self._session,
                    f"{self._session}:{number}",
                    run,
                    asking["outcome"],
                    ignored=reply["ignored"],
                )
            )

    def _declared(self, number: int, *, done: bool) -> None:
        asked, triggers = self._here_asked.pop(number)
        self._stage.history.declared.append(Declared(self.name, triggers, asked, wall(), done))

    def _claim_answered(self, run: ExecutionId, *, confirmed: bool) -> None:
        self._stage.history.claims.append(Claim(self._session, run, confirmed))
        if not confirmed:
            self._runs.discard(run)
        elif self.retired or self._random.random() > _NEVER_FINISHED:
            task = asyncio.create_task(self._finish_later(run))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _finish_later(self, run: ExecutionId) -> None:
        await asyncio.sleep(self._random.uniform(0.01, 0.5))
        outcome = self._random.choice(("completed", "completed", "failed", "cancelled"))
        if run in self._runs:
            await self._ask("finished", run, outcome=outcome)

    async def _ask(self, kind: str, run: ExecutionId, **more: Any) -> None:
        self._number += 1
        frame = {"type": kind, "id": self._number, "executionId": run, **more}
        self._unanswered[self._number] = frame
        await self._send(frame)

    async def _send(self, frame: dict[str, Any]) -> None:
        if self._socket is not None and not self._socket.closed:
            try:
                await self._socket.send_str(json.dumps(frame))
            except (ClientError, OSError):
                return  # what needs an answer is sent again on the next connection
