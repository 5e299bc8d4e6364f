"""Plays a scenario of simulate.md on a live bridge: each step is a request."""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from live.hands import Hands
    from live.stage import Stage
    from service.caller import Json

_ON_TRIGGER: Final = {"pauseTrigger": "pause", "resumeTrigger": "resume"}
_ON_EXECUTION: Final = ("cancel", "terminate", "pause", "resume")
_FIRING: Final = ("payload", "lockKey", "priority")


class Player:
    """Names executions as the simulator does: TRIGGERID#N, by creation."""

    def __init__(self, stage: Stage, hands: Hands, scenario: Json) -> None:
        self._stage = stage
        self._hands = hands
        self._scenario = scenario
        self._starts: dict[str, int] = {}
        self._due: list[tuple[float, int, Json]] = []
        self._names: dict[str, str] = {}
        self._jobs: dict[str, str] = {}

    async def play(self) -> None:
        """From the declarations to the scenario's end, inclusive."""
        await self._prepare()
        while (at := self._next()) is not None:
            if at > self._stage.seconds:
                await self._stage.go_to(min(at, self._stage.seconds + self._hop()))
            else:
                await self._do(heappop(self._due)[2])
                await self._rest()

    async def executions(self) -> dict[str, Json]:
        """Every execution as the bridge shows it, by name, in order of creation."""
        page = (await self._stage.call("GET", "/v1/executions?limit=1000")).value
        counts: dict[str, int] = {}
        named = {}
        for execution in reversed(page["executions"]):
            trigger = execution["triggerId"]
            counts[trigger] = counts.get(trigger, 0) + 1
            name = f"{trigger}#{counts[trigger]}"
            named[name] = execution
            self._names[execution["executionId"]] = name
        return named

    def name_of(self, execution_id: str) -> str:
        """The simulator's name; known once `executions` has seen it."""
        return self._names[execution_id]

    def execution_of_job(self, job_id: str) -> str:
        """The id of the execution that a job was added to."""
        return self._jobs[job_id]

    async def _prepare(self) -> None:
        for name, workspace in self._scenario.get("workspaces", {}).items():
            await self._stage.call("PUT", f"/v1/workspaces/{name}", workspace)
        await self._hands.declare(self._scenario["triggers"])
        self._stage.settle = self._rest
        for number, step in enumerate(self._scenario.get("steps", ())):
            heappush(self._due, (step["at"], number, step))

    def _next(self) -> float | None:
        """When there is something to do, or time has yet to pass; None at the end."""
        until: float = self._scenario.get("until", self._stage.seconds)
        if self._due:
            return self._due[0][0]
        return until if until > self._stage.seconds else None

    def _hop(self) -> float:
        """No run that starts on the way ends before its end."""
        runs = self._scenario.get("runs", {}).values()
        return min((min(_durations(each)) for each in runs), default=inf)

    async def _rest(self) -> None:
        """Everything is told and claimed; what has started will end in its time."""
        await self._hands.settle()
        for trigger, runs in self._scenario.get("runs", {}).items():
            await self._plan_ends(trigger, runs)

    async def _plan_ends(self, trigger: str, runs: Json) -> None:
        for name, execution in (await self.executions()).items():
            if execution["triggerId"] != trigger or execution["state"] != "running":
                continue
            if name not in self._starts:
                nth = sum(each.startswith(f"{trigger}#") for each in self._starts)
                self._starts[name] = nth
                self._plan_end(name, runs, nth)

    def _plan_end(self, name: str, runs: Json, nth: int) -> None:
        durations = _durations(runs)
        at = self._stage.seconds + durations[min(nth, len(durations) - 1)]
        if at <= self._scenario.get("until", at):
            outcome = runs.get("outcome", "completed")
            heappush(self._due, (at, -1, {"do": "finish", "executionId": name, "outcome": outcome}))

    async def _do(self, step: Json) -> None:
        for method, path, body in await self._requests(step):
            reply = await self._stage.call(method, path, body)
            # Like a step on what is not there or not in a state for it.
            assert reply.status in (200, 201, 204, 404, 409), reply

    async def _requests(self, step: Json) -> list[tuple[str, str, Json]]:
        return list(self._on_execution(step, await self.executions())) or list(self._other(step))

    def _other(self, step: Json) -> Iterator[tuple[str, str, Json]]:
        do, trigger = step["do"], f"/v1/triggers/{step.get('triggerId')}"
        if do == "fire":
            yield "POST", f"{trigger}/fire", {k: step[k] for k in _FIRING if k in step}
        elif do in _ON_TRIGGER:
            yield "POST", f"{trigger}/{_ON_TRIGGER[do]}", None
        elif do == "removeTrigger":
            yield "DELETE", trigger, None
        elif do == "setTrigger":
            config = {**step["trigger"], **self._hands.owner}
            yield "PUT", f"/v1/triggers/{config['triggerId']}", config
        elif do == "setWorkspace":
            body = {"maxConcurrentExecutions": step["maxConcurrentExecutions"]}
            yield "PUT", f"/v1/workspaces/{step['workspaceId']}", body

    def _on_execution(self, step: Json, known: dict[str, Json]) -> Iterator[tuple[str, str, Json]]:
        do = step["do"]
        if do == "finishJob":
            execution_id = self._jobs[step["jobId"]]
            path = f"/v1/executions/{execution_id}/jobs/{step['jobId']}/finished"
            yield "POST", path, None
        if step.get("executionId") not in known:
            return
        execution_id = known[step["executionId"]]["executionId"]
        one = f"/v1/executions/{execution_id}"
        if do in _ON_EXECUTION:
            yield "POST", f"{one}/{do}", None
        elif do == "finish":
            yield "POST", f"{one}/finished", {"outcome": step["outcome"]}
        elif do == "addJob":
            self._jobs[step["jobId"]] = execution_id
            yield "POST", f"{one}/jobs", {"jobId": step["jobId"]}


def _durations(runs: Json) -> list[float]:
    given: float | list[float] = runs["durationSeconds"]
    return given if isinstance(given, list) else [given]
