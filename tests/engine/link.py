"""A client as the engine sees it: what it is told, in short sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schedule_bridge.core.model import ClientId, State, WorkspaceId
from schedule_bridge.engine import draw_up

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.decisions import Decision
    from schedule_bridge.core.model import Execution, ExecutionId, TriggerId
    from schedule_bridge.engine import Engine


class Client:
    """One connection of a client, with a memory of what came over it."""

    def __init__(self, engine: Engine, client: str = "c", session: str = "s1") -> None:
        self.client_id = ClientId(client)
        self.session_id = session
        self.workspace_id = WorkspaceId("default")
        self.engine = engine
        self.offers: list[Execution] = []
        self.told: list[str] = []
        self.changed: list[str] = []
        self.news_heard = 0
        self.closed = False

    # what the engine tells

    def offer(self, execution: Execution) -> None:
        self.offers.append(execution)
        self.told.append(f"offer {execution.trigger_id}")

    def ended(self, execution_id: ExecutionId, execution: Execution | None) -> None:
        self.told.append(
            f"ended {execution.trigger_id} {execution.state} {execution.reason}"
            if execution is not None
            else f"ended unknown {execution_id}"
        )

    def decided(self, decision: Decision) -> None:
        self.told.append(f"decision {decision.trigger_id} {decision.verdict}")

    def news(self, executions: Iterable[ExecutionId], triggers: Iterable[TriggerId]) -> None:
        self.news_heard += 1
        self.changed += [*executions, *triggers]

    def close(self) -> None:
        self.closed = True

    # what the client does

    async def connect(self) -> Client:
        await self.engine.connect(self)
        return self

    async def here(
        self, *triggers: dict[str, Any], runs: Iterable[ExecutionId] = ()
    ) -> list[TriggerId] | None:
        now = self.engine.now()
        drafts = [draw_up({"clientId": self.client_id, **raw}, now) for raw in triggers]
        runs = list(runs)
        detached = await self.engine.arrive(self, drafts, runs)
        if detached is not None:
            await self.engine.welcome(self, runs)
        return detached

    async def away(self) -> None:
        await self.engine.leave(self, disconnected=False)

    async def disconnect(self) -> None:
        await self.engine.leave(self, disconnected=True)

    async def claim(self, place: int = -1) -> Execution:
        """Claims one of the offers, the latest unless told otherwise."""
        try:
            return self.engine.claim(self.offers[place].execution_id, self)
        finally:
            await self.engine.house()  # once it is durable

    async def finish(self, execution: Execution, outcome: State = State.COMPLETED) -> str | None:
        try:
            return self.engine.finish(execution.execution_id, outcome, reporter=self)
        finally:
            await self.engine.house()

    @property
    def offered(self) -> list[str]:
        return [execution.trigger_id for execution in self.offers]
