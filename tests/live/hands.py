"""Who runs the executions of a played scenario, and claims each start at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from live.stage import Stage
    from service.caller import Json
    from service.streamer import Streamer


class Hands(Protocol):
    """Declares triggers, and claims what starts."""

    owner: dict[str, str]
    """What a trigger's configuration says of whose it is."""

    async def declare(self, triggers: list[Json]) -> None:
        """Before the first step."""
        ...

    async def settle(self) -> None:
        """All that has been decided is told, and every start is claimed."""
        ...


class StreamHands:
    """A client on its stream. `heard` is all that it was told, each with the time."""

    def __init__(self, stage: Stage, stream: Streamer) -> None:
        self.owner = {"clientId": "c"}
        self.heard: list[tuple[float, Json]] = []
        self._stage = stage
        self._stream = stream
        self._offers: list[str] = []

    async def declare(self, triggers: list[Json]) -> None:
        await self._stream.here(*triggers)

    async def settle(self) -> None:
        await self._come_to_rest()
        while self._offers:
            await self._ask("started", executionId=self._offers.pop(0))
            await self._come_to_rest()

    async def _come_to_rest(self) -> None:
        """The answer to any report follows on all that was decided before it."""
        await self._ask("finished", executionId="nobody", outcome="completed")

    async def _ask(self, kind: str, **members: Any) -> None:
        number = await self._stream.tell(kind, **members)
        while (frame := await self._stream.receive()).get("re") != number:
            self.heard.append((self._stage.seconds, frame))
            if frame["type"] == "execution.start":
                self._offers.append(frame["executionId"])


class PostHands:
    """An API client without a stream, which looks for pending executions."""

    def __init__(self, stage: Stage) -> None:
        self.owner: dict[str, str] = {}
        self._stage = stage

    async def declare(self, triggers: list[Json]) -> None:
        for trigger in triggers:
            await self._stage.set(trigger["triggerId"], **trigger)

    async def settle(self) -> None:
        while pending := await self._pending():
            for execution_id in pending:
                await self._stage.call("POST", f"/v1/executions/{execution_id}/started")

    async def _pending(self) -> list[str]:
        page = (await self._stage.call("GET", "/v1/executions?state=pending")).value
        return [each["executionId"] for each in reversed(page["executions"])]
