"""What a client says over its stream, and what comes of it.

Frames are decided in the order in which they come. Claims and ends do not wait for each other's
commits, so that a burst of them shares one, and are answered after it in their order.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from schedule_bridge.api.stream import frames
from schedule_bridge.core.model import ExecutionId, State
from schedule_bridge.core.refusal import Refused
from schedule_bridge.engine import (
    OwnedElsewhereError,
    StoreUnavailableError,
    draw_up,
)
from schedule_bridge.schedule import ScheduleError
from schedule_bridge.wire.bounds import Unfit
from schedule_bridge.wire.faults import Fault
from schedule_bridge.wire.schemas import validate
from schedule_bridge.wire.times import parse_instant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from schedule_bridge.api.stream.link import StreamLink
    from schedule_bridge.core.model import Instant
    from schedule_bridge.engine import Draft, Engine, Estate

_UNANSWERED_AT_MOST = 1000
_IN_ONE_TURN = 32
"""How many frames of one client are decided before others have their turn."""


class Conversation:
    """One client's frames, handled in order."""

    def __init__(self, estate: Estate, engine: Engine, link: StreamLink) -> None:
        self._estate = estate
        self._engine = engine
        self._link = link
        self._unanswered = 0
        self._heard = 0
        self._refusals: set[asyncio.Task[None]] = set()

    async def hear(self, frame: frames.Frame) -> None:
        """Handles a valid frame."""
        match frame["type"]:
            case "started" | "finished":
                await self._report(frame)
            case "here":
                await self._here(frame)
            case "away":
                await self._engine.leave(self._link, disconnected=False)
            case _:
                pass  # a second hello says nothing new

    async def end(self) -> None:
        """Waits for what is under way."""
        await asyncio.gather(*self._refusals, return_exceptions=True)

    async def _report(self, frame: frames.Frame) -> None:
        """Decides a claim or an end; not answered if nothing can be decided: it is said again."""
        with suppress(StoreUnavailableError):
            await self._engine.caught_up()
            if frame["type"] == "started":
                self._started(frame)
            else:
                self._finished(frame)
            await self._give_way()

    async def _give_way(self) -> None:
        """Lets others have the loop now and then, and the store keep up."""
        self._heard += 1
        if self._heard % _IN_ONE_TURN == 0:
            await asyncio.sleep(0)
        if self._unanswered >= _UNANSWERED_AT_MOST:
            await self._engine.house()  # once all of it is durable
        if len(self._refusals) >= _UNANSWERED_AT_MOST:
            await self.end()

    def _answer_with(self, frame_of: Callable[[], frames.Frame]) -> None:
        """Answers once what was decided is durable; if it is lost, it is said again."""

        def answer(lost: Exception | None) -> None:
            self._unanswered -= 1
            if lost is None:
                self._link.send(frame_of())

        self._unanswered += 1
        self._engine.when_durable(answer)

    def _started(self, frame: frames.Frame) -> None:
        re, execution_id = frame["id"], ExecutionId(frame["executionId"])
        try:
            execution = self._engine.claim(execution_id, self._link)
        except Refused as refused:
            refusal = asyncio.create_task(self._refuse(re, execution_id, refused))
            self._refusals.add(refusal)
            refusal.add_done_callback(self._refusals.discard)
        else:
            self._answer_with(lambda: frames.confirmed(re, execution))

    async def _refuse(self, re: object, execution_id: ExecutionId, refused: Refused) -> None:
        """Says why a claim was refused: what is not active may have ended, or is not known."""
        with suppress(StoreUnavailableError):  # not answered, so it is sent again
            known = await self._engine.execution(execution_id)
            reason = refused.refusal.value if known is not None else frames.UNKNOWN
            self._link.send(frames.refused(re, reason))

    def _finished(self, frame: frames.Frame) -> None:
        re, ended_at = frame["id"], frame.get("endedAt")
        ignored = self._engine.finish(
            ExecutionId(frame["executionId"]),
            State(frame["outcome"]),
            error=frame.get("error"),
            ended_at=None if ended_at is None else parse_instant(ended_at),
            reporter=self._link,
        )
        self._answer_with(lambda: frames.finished_reply(re, ignored))

    async def _here(self, frame: frames.Frame) -> None:
        # A large set takes long to read, and keeps nobody else waiting.
        valid, invalid = await asyncio.to_thread(self._sort, frame["triggers"], self._engine.now())
        runs = [ExecutionId(run) for run in frame["runs"]]
        try:
            declared = [draft.config.trigger_id for draft in valid]
            await self._estate.to_declare(self._link.workspace_id, declared)
            detached = await self._engine.arrive(self._link, valid, runs)
            if detached is None:
                return  # another connection has replaced this one
            self._link.send(frames.here_reply(frame["id"], detached, invalid))
            await self._engine.welcome(self._link, runs)
        except (StoreUnavailableError, OwnedElsewhereError):
            return  # the connection is being dropped; the client says it again

    def _sort(
        self, declared: Iterable[frames.Frame], now: Instant
    ) -> tuple[list[Draft], list[frames.Frame]]:
        """Those that can be set, and what is wrong with the others."""
        valid: list[Draft] = []
        invalid: list[frames.Frame] = []
        for raw in declared:
            faults = self._faults_of(raw)
            try:
                if not faults:
                    valid.append(draw_up(self._owned(raw), now))
            except ScheduleError as error:
                faults = [Fault(f"/schedule{error.pointer}", str(error))]
            if faults:
                errors = [fault.as_value() for fault in faults]
                invalid.append({"triggerId": _id_of(raw), "errors": errors})
        return valid, invalid

    def _owned(self, raw: frames.Frame) -> frames.Frame:
        """A client's triggers are its own, in its workspace."""
        return {
            **raw,
            "clientId": self._link.client_id,
            "workspaceId": self._link.workspace_id,
        }

    def _faults_of(self, raw: frames.Frame) -> list[Fault]:
        if isinstance(raw, Unfit):
            return [raw.fault]
        faults = validate("trigger", raw)
        if (
            not faults
            and raw.get("workspaceId", self._link.workspace_id) != self._link.workspace_id
        ):
            faults = [Fault("/workspaceId", "A client's triggers are of the client's workspace.")]
        return faults


def _id_of(raw: frames.Frame) -> str | None:
    """The id of an invalid configuration, where it has one that can be shown."""
    trigger_id = raw.get("triggerId")
    usable = not any(fault.pointer == "/triggerId" for fault in validate("trigger", raw))
    return trigger_id if isinstance(trigger_id, str) and usable else None
